/** A mapping: every access scope of the type opens the application. */
import { AccessScopeType } from './AccessScopeType.js';
import { Application } from './Application.js';
import { everywhere, inside } from './description.js';
import { Int, Key, Record, Text, ToOne } from './fields.js';
import { ManagedBy } from './Managed.js';
import { Stamped } from './Stamped.js';

@Record({
  table: 'access_scope_type_applications_mappers',
  doc: 'A mapping: every access scope of the type opens the application.',
  unique: [['application', 'accessScopeType']],
})
export class AccessScopeTypeApplicationsMapper extends Stamped {
  @Key('integer', { doc: 'Number of the mapping.', faces: everywhere }) accessScopeTypeApplicationsMapperId!: number;
  @Int({ doc: 'Number of the access scope type.', faces: everywhere }) accessScopeTypeId!: number;
  @Int({ doc: 'Number of the application.', faces: everywhere }) applicationId!: number;
  @Text({ doc: 'State of the mapping.', max: 50, default: "'active'", create: 'optional', faces: everywhere })
  state!: string;
  @ManagedBy() managedBy!: string | null;

  @ToOne(() => AccessScopeType, 'accessScopeTypeId', {
    doc: 'The access scope type.',
    onDelete: 'cascade',
    faces: everywhere,
  })
  accessScopeType!: AccessScopeType;
  @ToOne(() => Application, 'applicationId', { doc: 'The application.', onDelete: 'cascade', faces: inside })
  application!: Application;
}
