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
  isOfCatalogue: true,
  faces: everywhere,
})
export class AccessScopeTypeApplicationsMapper extends Stamped {
  @Key('integer', 'Number of the mapping.') accessScopeTypeApplicationsMapperId!: number;
  @Int('Number of the access scope type.') accessScopeTypeId!: number;
  @Int('Number of the application.') applicationId!: number;
  @Text('State of the mapping.', { max: 50, default: "'active'", create: 'optional' }) state!: string;
  @ManagedBy() managedBy!: string | null;

  @ToOne(() => AccessScopeType, 'accessScopeTypeId', 'The access scope type.', { onDelete: 'cascade' })
  accessScopeType!: AccessScopeType;
  @ToOne(() => Application, 'applicationId', 'The application.', { onDelete: 'cascade', faces: inside })
  application!: Application;
}
