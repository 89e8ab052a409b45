/** A kind of access scope: the part before the colon of an entry of the `scopes` claim. */
import type { Collection } from '@mikro-orm/core';
import { AccessScope } from './AccessScope.js';
import { AccessScopeTypeApplicationsMapper } from './AccessScopeTypeApplicationsMapper.js';
import { everywhere, inside } from './description.js';
import { Flag, Guid, Key, Record, Text, ToMany } from './fields.js';
import { ManagedBy } from './Managed.js';
import { Stamped } from './Stamped.js';
import { Translation } from './Translation.js';

@Record({
  table: 'access_scope_types',
  doc: 'A kind of access scope: the part before the colon of an entry of the `scopes` claim.',
  isOfCatalogue: true,
  isGuarded: true,
  faces: everywhere,
})
export class AccessScopeType extends Stamped {
  @Key('integer', 'Number of the access scope type.') accessScopeTypeId!: number;
  @Guid('Guid of the access scope type.', { unique: true, default: 'gen_random_uuid()' }) accessScopeTypeGuid!: string;
  @Text(
    'Unique name. It must not resemble `admin` or contain colons, white space, control or format characters, quotes or backslashes.',
    { max: 255, unique: true, create: 'required' },
  )
  name!: string;
  @Text('Description shown to people.', { max: 255, nullable: true, create: 'optional', isBesideAccess: true })
  description!: string | null;
  @Text('Name of the translation group of the record.', {
    max: 50,
    nullable: true,
    create: 'optional',
    isBesideAccess: true,
  })
  translationGroup!: string | null;
  @Flag('Whether the access scope type is active. New tokens contain no access scopes of an inactive type.', {
    default: 'true',
    create: 'optional',
  })
  isActive!: boolean;
  @ManagedBy() managedBy!: string | null;

  @ToMany(() => AccessScope, 'accessScopeTypeId', 'The access scopes of the type.', { faces: inside })
  accessScopes!: Collection<AccessScope>;
  @ToMany(() => AccessScopeTypeApplicationsMapper, 'accessScopeTypeId', 'The applications that it opens.', {
    faces: inside,
  })
  accessScopeTypeApplicationsMappers!: Collection<AccessScopeTypeApplicationsMapper>;
  @ToMany(() => Translation, 'translationGroup', 'The translations of the texts of the record.', { faces: inside })
  translations!: Translation[];
}
