/** One search over everything that is administered. */
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { type SearchKind as Kind, searched, searchKinds } from '../../services/search/kinds.js';
import { type SearchHit as Hit, search } from '../../services/search/search.js';
import { declareQuery } from '../schema/declare.js';
import { declareEnum } from '../schema/enums.js';
import { declareChangedRecord } from './ChangedRecord.js';

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

export function declareSearch(): void {
  const tables = new Map(searched.map(({ kind, table }) => [kind, table]));
  declareChangedRecord(SearchHit, 'The record itself.', ({ kind, id }: Hit) => ({ kind: tables.get(kind)!, id }));
  declareQuery('search', {
    doc: 'Records by their names, keys, e-mail, ids, by guids or beginnings of them, or by a trace id; only kinds that the caller may read. Every word of the text begins a word of what is found.',
    type: () => [SearchHit],
    timesFirst: searchKinds.length,
    arguments: {
      text: { type: () => String, doc: 'At most 200 characters.' },
      first: {
        type: () => Int,
        nullable: true,
        doc: 'At most so many of each kind, from 1 to 50.',
        default: firstDefault,
      },
    },
    resolve: (_root, { text, first }, context): Promise<Hit[]> => search(context, text, first ?? firstDefault),
  });
}
