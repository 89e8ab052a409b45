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

@Record({ table: 'access_scopes', doc: 'Something a profile may reach: an entry of the `scopes` claim.' })
export class AccessScope extends Stamped {
  @Key('integer', { doc: 'Number of the access scope.', faces: everywhere }) accessScopeId!: number;
  @Guid({ doc: 'Guid of the access scope.', unique: true, default: 'gen_random_uuid()', faces: everywhere })
  accessScopeGuid!: string;
  @Text({ doc: 'Display name.', max: 255, create: 'required', faces: everywhere }) name!: string;
  @Text({
    doc: 'Key in the `scopes` claim. It must not be `*` or contain white space, control or format characters, quotes or backslashes.',
    max: 255,
    nullable: true,
    create: 'optional',
    faces: everywhere,
  })
  accessScopeKey!: string | null;
  @Int({ doc: 'Number of its access scope type.', faces: everywhere }) accessScopeTypeId!: number;
  @Int({
    doc: 'Number of the object that it stands for. The claim contains it if there is no key.',
    nullable: true,
    create: 'optional',
    faces: everywhere,
  })
  concreteId!: number | null;
  @Text({ doc: 'Description shown to people.', max: 255, nullable: true, create: 'optional', faces: everywhere })
  description!: string | null;
  @Text({ doc: 'The group of its translations.', max: 50, nullable: true, create: 'optional', faces: everywhere })
  translationGroup!: string | null;
  @Flag({
    doc: 'Whether it stands for every access scope of its type.',
    default: 'false',
    create: 'optional',
    faces: everywhere,
  })
  isWildcard!: boolean;
  @Flag({
    doc: 'Whether it is active. New tokens contain only active access scopes.',
    default: 'true',
    create: 'optional',
    faces: everywhere,
  })
  isActive!: boolean;
  @ManagedBy() managedBy!: string | null;

  @ToOne(() => AccessScopeType, 'accessScopeTypeId', { doc: 'The access scope type.', faces: everywhere })
  accessScopeType!: AccessScopeType;
  @ToMany(() => AccessScopeApplicationsMapper, 'accessScopeId', {
    doc: 'The applications that it opens.',
    faces: inside,
  })
  accessScopeApplicationsMappers!: Collection<AccessScopeApplicationsMapper>;
  @ToMany(() => ProfileAccessScope, 'accessScopeId', { doc: 'The profiles that have it.', faces: inside })
  profileAccessScopes!: Collection<ProfileAccessScope>;
  @ToMany(() => Translation, 'translationGroup', { doc: 'The translations of its texts.', faces: inside })
  translations!: Translation[];
}
