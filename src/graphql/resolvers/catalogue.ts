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
import { FieldOf, inputType, Member, Requires } from '../schema/operations.js';
import { changesOf } from './recordChanges.js';

@Resolver()
export class ApplicationResolver extends changesOf(Application, 'applicationGuid', {
  fields: applicationInput,
  create: createApplication,
  update: updateApplication,
}) {}

@ChangeOf('deactivateAccessScope')
class DeactivateAccessScope implements Change {
  @FieldOf(AccessScope, 'accessScopeGuid') accessScopeGuid!: string;
  @IfRevision() ifRevision?: number | null;
  apply(context: Context) {
    return updateAccessScope(context, this.accessScopeGuid, { isActive: false }, this.ifRevision);
  }
}

@Resolver()
export class AccessScopeResolver extends changesOf(AccessScope, 'accessScopeGuid', {
  fields: accessScopeInput,
  create: createAccessScope,
  update: updateAccessScope,
}) {
  @Mutation(() => AccessScope, { description: 'Deactivates an access scope: new tokens no longer contain it.' })
  @Requires('admin:write')
  async deactivateAccessScope(@Args(() => DeactivateAccessScope) change: DeactivateAccessScope, @Load() load: Loader) {
    await change.apply(load.context);
    return load.record(AccessScope, 'accessScopeGuid', change.accessScopeGuid);
  }
}

@ChangeOf('deactivateAccessScopeType')
class DeactivateAccessScopeType implements Change {
  @FieldOf(AccessScopeType, 'accessScopeTypeGuid') accessScopeTypeGuid!: string;
  @IfRevision() ifRevision?: number | null;
  apply(context: Context) {
    return updateAccessScopeType(context, this.accessScopeTypeGuid, { isActive: false }, this.ifRevision);
  }
}

@Resolver()
export class AccessScopeTypeResolver extends changesOf(AccessScopeType, 'accessScopeTypeGuid', {
  fields: accessScopeTypeInput,
  create: createAccessScopeType,
  update: updateAccessScopeType,
}) {
  @Mutation(() => AccessScopeType, {
    description: 'Deactivates an access scope type: new tokens no longer contain its access scopes.',
  })
  @Requires('admin:write')
  async deactivateAccessScopeType(
    @Args(() => DeactivateAccessScopeType) change: DeactivateAccessScopeType,
    @Load() load: Loader,
  ) {
    await change.apply(load.context);
    return load.record(AccessScopeType, 'accessScopeTypeGuid', change.accessScopeTypeGuid);
  }
}

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
