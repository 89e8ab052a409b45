/** Changes of applications, access scopes, their types and translations. */
import { Args, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../context.js';
import { AccessScope } from '../../entities/AccessScope.js';
import { AccessScopeType } from '../../entities/AccessScopeType.js';
import { Application } from '../../entities/Application.js';
import { Translation } from '../../entities/Translation.js';
import {
  accessScopeInput,
  accessScopeTypeInput,
  createAccessScope,
  createAccessScopeType,
  updateAccessScope,
  updateAccessScopeType,
} from '../../services/catalogue/accessScopes.js';
import { applicationInput, createApplication, updateApplication } from '../../services/catalogue/applications.js';
import { setTranslations, translationInput } from '../../services/catalogue/translations.js';
import { Load, type Loader } from '../resolving/loaders.js';
import { type Change, ChangeOf, IfRevision } from '../schema/changes.js';
import { inputType, Member, Requires } from '../schema/operations.js';
import { changesOf } from './recordChanges.js';

export const applicationResolvers = changesOf(Application, 'applicationGuid', {
  fields: applicationInput,
  create: createApplication,
  update: updateApplication,
});

export const accessScopeResolvers = changesOf(
  AccessScope,
  'accessScopeGuid',
  {
    fields: accessScopeInput,
    create: createAccessScope,
    update: updateAccessScope,
    deactivate: (context, guid, ifRevision) => updateAccessScope(context, guid, { isActive: false }, ifRevision),
  },
  'Deactivates an access scope: new tokens no longer contain it.',
);

export const accessScopeTypeResolvers = changesOf(
  AccessScopeType,
  'accessScopeTypeGuid',
  {
    fields: accessScopeTypeInput,
    create: createAccessScopeType,
    update: updateAccessScopeType,
    deactivate: (context, guid, ifRevision) => updateAccessScopeType(context, guid, { isActive: false }, ifRevision),
  },
  'Deactivates an access scope type: new tokens no longer contain its access scopes.',
);

const TranslationInput = inputType('TranslationInput', 'A text in one language.', translationInput());

@ChangeOf('setTranslations')
class SetTranslations implements Change {
  @Member(String, 'The translation group, to which records refer.') translationGroup!: string;
  @Member([TranslationInput], 'All texts of the group.') translations!: object[];
  @IfRevision(
    'The revision of the group that the caller has read, or 0 for a group without texts. If its texts have changed since, the request fails with CONFLICT.',
  )
  ifRevision?: number | null;
  get size() {
    return this.translations.length;
  }
  apply(context: Context) {
    return setTranslations(context, this.translationGroup, this.translations, this.ifRevision);
  }
}

@Resolver()
export class TranslationResolver {
  @Mutation(() => [Translation], {
    description: 'Replaces all texts of a translation group.',
  })
  @Requires('admin:write')
  async setTranslations(@Args(() => SetTranslations) change: SetTranslations, @Load() load: Loader) {
    return load.records(Translation, 'translationId', await change.apply(load.context));
  }
}
