/** A mapping: the access scope opens the application. */
import { AccessScope } from './AccessScope.js';
import { Application } from './Application.js';
import { everywhere } from './description.js';
import { Int, Key, Record, Text, ToOne } from './fields.js';
import { ManagedBy } from './Managed.js';
import { Stamped } from './Stamped.js';

@Record({
  table: 'access_scope_applications_mappers',
  doc: 'A mapping: the access scope opens the application.',
  unique: [['application', 'accessScope']],
  isOfCatalogue: true,
  faces: everywhere,
})
export class AccessScopeApplicationsMapper extends Stamped {
  @Key('integer', 'Number of the mapping.') accessScopeApplicationsMapperId!: number;
  @Int('Number of the access scope.') accessScopeId!: number;
  @Int('Number of the application.') applicationId!: number;
  @Text('State of the mapping.', { max: 50, default: "'active'", create: 'optional' }) state!: string;
  @Text('Link to the application for this access scope, which replaces the global link.', {
    max: 512,
    nullable: true,
    create: 'optional',
    isBesideAccess: true,
  })
  individualExternalLink!: string | null;
  @ManagedBy() managedBy!: string | null;

  @ToOne(() => AccessScope, 'accessScopeId', 'The access scope.', { onDelete: 'cascade' }) accessScope!: AccessScope;
  @ToOne(() => Application, 'applicationId', 'The application.', { onDelete: 'cascade' }) application!: Application;
}
