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
  @Text({ doc: 'Name shown to people.', max: 255, create: 'required', faces: everywhere }) name!: string;
  @Text({
    doc: 'Key in the `scopes` claim, without white space, control or format characters, quotes or backslashes; not `*`.',
    max: 255,
    nullable: true,
    create: 'optional',
    faces: everywhere,
  })
  accessScopeKey!: string | null;
  @Int({ doc: 'Number of its access scope type.', faces: everywhere }) accessScopeTypeId!: number;
  @Int({
    doc: 'Number of what it stands for; in the claim when there is no key.',
    nullable: true,
    create: 'optional',
    faces: everywhere,
  })
  concreteId!: number | null;
  @Text({ doc: 'What it is for.', max: 255, nullable: true, create: 'optional', faces: everywhere })
  description!: string | null;
  @Text({ doc: 'Group of its translations.', max: 50, nullable: true, create: 'optional', faces: everywhere })
  translationGroup!: string | null;
  @Flag({
    doc: 'Whether it stands for every scope of its type.',
    default: 'false',
    create: 'optional',
    faces: everywhere,
  })
  isWildcard!: boolean;
  @Flag({
    doc: 'Whether it is in use; an inactive one is in no token.',
    default: 'true',
    create: 'optional',
    faces: everywhere,
  })
  isActive!: boolean;
  @ManagedBy() managedBy!: string | null;

  @ToOne(() => AccessScopeType, 'accessScopeTypeId', { doc: 'Its type.', faces: everywhere })
  accessScopeType!: AccessScopeType;
  @ToMany(() => AccessScopeApplicationsMapper, 'accessScopeId', { doc: 'The applications it opens.', faces: inside })
  accessScopeApplicationsMappers!: Collection<AccessScopeApplicationsMapper>;
  @ToMany(() => ProfileAccessScope, 'accessScopeId', { doc: 'The profiles that have it.', faces: inside })
  profileAccessScopes!: Collection<ProfileAccessScope>;
  @ToMany(() => Translation, 'translationGroup', { doc: 'Its texts in other languages.', faces: inside })
  translations!: Translation[];
}
