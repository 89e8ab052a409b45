/** Searches all administered records. */
import { Arg, Ctx, ID, Int, Query, Resolver, Root } from 'type-graphql';
import { type GraphContext, Load, type Loader } from '../../../graphql/resolving/loaders.js';
import { declareEnum } from '../../../graphql/schema/inputs.js';
import { ComputedOrNull, Member, MemberOrNull, Requires, Result } from '../../../graphql/schema/operations.js';
import { ChangedRecord, findChangedRecord } from '../../changes/resolvers/ChangedRecord.js';
import { type SearchHit as Hit, type SearchKind as Kind, search, searched, searchKinds } from '../search.js';
import { listSuggestions, type SuggestionField as Suggested, suggestionsMax } from '../suggestions.js';

const SearchKind = declareEnum<Kind>('SearchKind', 'A type of record that a search returns.', {
  APPLICATION: 'An application, by its name.',
  USER: 'A user, by names, e-mail and id at the identity provider.',
  PROFILE: 'A profile, by name and id.',
  ACCESS_SCOPE: 'An access scope, by name and key.',
  ACCESS_SCOPE_TYPE: 'An access scope type, by its name.',
  ROLE: 'A role, by name and id.',
  CLIENT: 'A client, by name and id.',
  CHANGE_SET: 'A change set, by its guid or its trace id.',
});

@Result('A record that matches a search.')
class SearchHit {
  @Member(SearchKind, 'Type of the record.') kind!: string;
  @Member(ID, 'Guid of the record, or its id if it has no guid.') id!: string;
  @Member(String, 'Name of the record.') label!: string;
  @MemberOrNull(String, 'Distinguishes records of the same name, such as an e-mail address, a key or an id.')
  hint!: string | null;
}

const SuggestionField = declareEnum<Suggested>('SuggestionField', 'A field whose values are suggested.', {
  APP_TYPE: '`Application.appType`.',
  RENDERING_MODE: '`Application.renderingMode`.',
  LINK_TYPE: '`Application.linkType`.',
  DEPARTMENT: '`User.department`.',
  JOB_TITLE: '`User.jobTitle`.',
});

@Result('A value that records have.')
class Suggestion {
  @Member(String, 'The value.') value!: string;
  @Member(Int, 'The number of records with this value.') count!: number;
}

/** The default of `first`. */
const firstDefault = 5;
const suggestionsDefault = 10;
const tables = new Map(searched.map(({ kind, table }) => [kind, table]));

@Resolver(() => SearchHit)
export class SearchResolver {
  @Query(() => [SearchHit], {
    complexity: searchKinds.length,
    description:
      'Finds records by name, key, e-mail address, id, guid or the beginning of a guid, or trace id. Every word of the text must be the beginning of a word of the record. Only types that the caller may read are returned.',
  })
  @Requires('admin:read', 'admin:security')
  search(
    @Arg('text', () => String, { description: 'The text to search for, at most 200 characters.' }) text: string,
    @Arg('first', () => Int, {
      nullable: true,
      defaultValue: firstDefault,
      description: 'The maximum number of records of each type, from 1 to 50.',
    })
    first: number | null,
    @Ctx() context: GraphContext,
  ) {
    return search(context, text, first ?? firstDefault);
  }

  @Query(() => [Suggestion], { description: 'Returns the values that records have in a field, most frequent first.' })
  @Requires('admin:read')
  suggestions(
    @Arg('field', () => SuggestionField as never, { description: 'The field.' }) field: Suggested,
    @Arg('text', () => String, {
      nullable: true,
      description: 'Returns only values that contain every word, ignoring accents and case.',
    })
    text: string | null,
    @Arg('first', () => Int, {
      nullable: true,
      defaultValue: suggestionsDefault,
      description: `The maximum number of values, from 1 to ${suggestionsMax}.`,
    })
    first: number | null,
    @Ctx() context: GraphContext,
  ) {
    return listSuggestions(context, field, text ?? '', first ?? suggestionsDefault);
  }

  @ComputedOrNull(ChangedRecord, 'The record.')
  record(@Root() { kind, id }: Hit, @Load() load: Loader) {
    return findChangedRecord(load, tables.get(kind)!, id);
  }
}
