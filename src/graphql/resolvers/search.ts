/** One search over everything that is administered. */
import { Arg, Ctx, Field, FieldResolver, ID, Int, ObjectType, Query, Resolver, Root } from 'type-graphql';
import {
  type SearchHit as Hit,
  type SearchKind as Kind,
  search,
  searched,
  searchKinds,
} from '../../services/search/search.js';
import { type GraphContext, Load, type Loader } from '../resolving/loaders.js';
import { declareEnum } from '../schema/inputs.js';
import { Requires } from '../schema/operations.js';
import { ChangedRecord, findChangedRecord } from './ChangedRecord.js';

const kindDocs: { [kind in Kind]: string } = {
  APPLICATION: 'An application, by its name.',
  USER: 'A user, by names, e-mail and id at the identity provider.',
  PROFILE: 'A profile, by name and id.',
  ACCESS_SCOPE: 'An access scope, by name and key.',
  ACCESS_SCOPE_TYPE: 'An access scope type, by its name.',
  ROLE: 'A role, by name and id.',
  CLIENT: 'A client, by name and id.',
  CHANGE_SET: 'A change set, by its guid or its trace id.',
};
const SearchKind = declareEnum('SearchKind', 'Kind of a record that a search finds.', searchKinds, kindDocs);

@ObjectType({ description: 'A record that a search found.', simpleResolvers: true })
class SearchHit {
  @Field(() => SearchKind, { description: 'What it is.' }) kind!: string;
  @Field(() => ID, { description: 'Its guid, or its id where it has none.' }) id!: string;
  @Field(() => String, { description: 'What people call it.' }) label!: string;
  @Field(() => String, {
    nullable: true,
    description: 'What tells it from others of that name: an e-mail, a key, an id.',
  })
  hint!: string | null;
}

/** Without `first`. */
const firstDefault = 5;
const tables = new Map(searched.map(({ kind, table }) => [kind, table]));

@Resolver(() => SearchHit)
export class SearchResolver {
  @Query(() => [SearchHit], {
    complexity: searchKinds.length,
    description:
      'Records by their names, keys, e-mail, ids, by guids or beginnings of them, or by a trace id; only kinds that the caller may read. Every word of the text begins a word of what is found.',
  })
  @Requires('admin:read', 'admin:security')
  search(
    @Arg('text', () => String, { description: 'At most 200 characters.' }) text: string,
    @Arg('first', () => Int, {
      nullable: true,
      defaultValue: firstDefault,
      description: 'At most so many of each kind, from 1 to 50.',
    })
    first: number | null,
    @Ctx() context: GraphContext,
  ) {
    return search(context, text, first ?? firstDefault);
  }

  @FieldResolver(() => ChangedRecord, { nullable: true, description: 'The record itself.' })
  record(@Root() { kind, id }: Hit, @Load() load: Loader) {
    return findChangedRecord(load, tables.get(kind)!, id);
  }
}
