/** Changes of applications, access scopes, their types and translations. */
import { Args, Mutation, Resolver } from 'type-graphql';
import { Translation } from '../../entities/Translation.js';
import {
  accessScopeChanges,
  accessScopeTypeChanges,
  applicationChanges,
} from '../../services/catalogue/recordChanges.js';
import { setTranslations, translationInput } from '../../services/catalogue/translations.js';
import { Load, type Loader } from '../resolving/loaders.js';
import { ArgumentsOf, IfRevision } from '../schema/arguments.js';
import { inputType, Member, Requires } from '../schema/operations.js';
import { resolversOf } from './recordChanges.js';

export const applicationResolvers = resolversOf(applicationChanges);

export const accessScopeResolvers = resolversOf(
  accessScopeChanges,
  'Deactivates an access scope: new tokens no longer contain it.',
);

export const accessScopeTypeResolvers = resolversOf(
  accessScopeTypeChanges,
  'Deactivates an access scope type: new tokens no longer contain its access scopes.',
);

const TranslationInput = inputType('TranslationInput', 'A text in one language.', translationInput());

@ArgumentsOf('setTranslations')
class SetTranslations {
  @Member(String, 'The translation group, to which records refer.') translationGroup!: string;
  @Member([TranslationInput], 'All texts of the group.') translations!: object[];
  @IfRevision(
    'The revision of the group that the caller has read, or 0 for a group without texts. If its texts have changed since, the request fails with CONFLICT.',
  )
  ifRevision?: number | null;
}

@Resolver()
export class TranslationResolver {
  @Mutation(() => [Translation], {
    description: 'Replaces all texts of a translation group.',
  })
  @Requires('admin:write')
  async setTranslations(
    @Args(() => SetTranslations) { translationGroup, translations, ifRevision }: SetTranslations,
    @Load() load: Loader,
  ) {
    const ids = await setTranslations(load.context, translationGroup, translations, ifRevision);
    return load.records(Translation, 'translationId', ids);
  }
}
