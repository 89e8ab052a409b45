/** Something a profile may reach: an entry of the `scopes` claim. */
import type { Collection } from '@mikro-orm/core';
import { AccessScopeApplicationsMapper } from './AccessScopeApplicationsMapper.js';
import { AccessScopeType } from './AccessScopeType.js';
import { everywhere, inside } from './description.js';
import { Flag, Guid, Int, Key, Record, Text, ToMany, ToOne } from './fields.js';
import { ManagedBy } from './Managed.js';
import { ProfileAccessScope } from './ProfileAccessScope.js';
import { Stamped } from './Stamped.js';
import { Translation } from './Translation.js';

@Record({
  table: 'access_scopes',
  doc: 'Something a profile may reach: an entry of the `scopes` claim.',
  isOfCatalogue: true,
  isGuarded: true,
  faces: everywhere,
})
export class AccessScope extends Stamped {
  @Key('integer', 'Number of the access scope.') accessScopeId!: number;
  @Guid('Guid of the access scope.', { unique: true, default: 'gen_random_uuid()' }) accessScopeGuid!: string;
  @Text('Display name.', { max: 255, create: 'required', isBesideAccess: true }) name!: string;
  @Text(
    'Key in the `scopes` claim. It must not be `*` or contain white space, control or format characters, quotes or backslashes.',
    { max: 255, nullable: true, create: 'optional' },
  )
  accessScopeKey!: string | null;
  @Int('Number of the access scope type.') accessScopeTypeId!: number;
  @Int(
    'Number of the object that the access scope stands for. The `scopes` claim contains this number if there is no key.',
    {
      nullable: true,
      create: 'optional',
    },
  )
  concreteId!: number | null;
  @Text('Description shown to people.', { max: 255, nullable: true, create: 'optional', isBesideAccess: true })
  description!: string | null;
  @Text('Name of the translation group of the record.', {
    max: 50,
    nullable: true,
    create: 'optional',
    isBesideAccess: true,
  })
  translationGroup!: string | null;
  @Flag('Whether the access scope stands for every access scope of its type.', { default: 'false', create: 'optional' })
  isWildcard!: boolean;
  @Flag('Whether the access scope is active. New tokens contain only active access scopes.', {
    default: 'true',
    create: 'optional',
  })
  isActive!: boolean;
  @ManagedBy() managedBy!: string | null;

  @ToOne(() => AccessScopeType, 'accessScopeTypeId', 'The access scope type.') accessScopeType!: AccessScopeType;
  @ToMany(() => AccessScopeApplicationsMapper, 'accessScopeId', 'The applications that it opens.', { faces: inside })
  accessScopeApplicationsMappers!: Collection<AccessScopeApplicationsMapper>;
  @ToMany(() => ProfileAccessScope, 'accessScopeId', 'The profiles that have the access scope.', { faces: inside })
  profileAccessScopes!: Collection<ProfileAccessScope>;
  @ToMany(() => Translation, 'translationGroup', 'The translations of the texts of the record.', { faces: inside })
  translations!: Translation[];
}
