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
})
export class AccessScopeType extends Stamped {
  @Key('integer', { doc: 'Number of the access scope type.', faces: everywhere }) accessScopeTypeId!: number;
  @Guid({ doc: 'Guid of the access scope type.', unique: true, default: 'gen_random_uuid()', faces: everywhere })
  accessScopeTypeGuid!: string;
  @Text({
    doc: 'Name, unique; without colon, white space, control or format characters, quotes or backslashes; not like `admin`.',
    max: 255,
    unique: true,
    create: 'required',
    faces: everywhere,
  })
  name!: string;
  @Text({ doc: 'What it is for.', max: 255, nullable: true, create: 'optional', faces: everywhere })
  description!: string | null;
  @Text({ doc: 'Group of its translations.', max: 50, nullable: true, create: 'optional', faces: everywhere })
  translationGroup!: string | null;
  @Flag({
    doc: 'Whether it is in use; the scopes of one out of use are in no token.',
    default: 'true',
    create: 'optional',
    faces: everywhere,
  })
  isActive!: boolean;
  @ManagedBy() managedBy!: string | null;

  @ToMany(() => AccessScope, 'accessScopeTypeId', { doc: 'The access scopes of the type.', faces: inside })
  accessScopes!: Collection<AccessScope>;
  @ToMany(() => AccessScopeTypeApplicationsMapper, 'accessScopeTypeId', {
    doc: 'The applications it opens.',
    faces: inside,
  })
  accessScopeTypeApplicationsMappers!: Collection<AccessScopeTypeApplicationsMapper>;
  @ToMany(() => Translation, 'translationGroup', { doc: 'Its texts in other languages.', faces: inside })
  translations!: Translation[];
}
