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
})
export class AccessScopeApplicationsMapper extends Stamped {
  @Key('integer', { doc: 'Number of the mapping.', faces: everywhere }) accessScopeApplicationsMapperId!: number;
  @Int({ doc: 'Number of the access scope.', faces: everywhere }) accessScopeId!: number;
  @Int({ doc: 'Number of the application.', faces: everywhere }) applicationId!: number;
  @Text({ doc: 'State of the mapping.', max: 50, default: "'active'", create: 'optional', faces: everywhere })
  state!: string;
  @Text({
    doc: 'Link to the application for this access scope, which replaces the global link.',
    max: 512,
    nullable: true,
    create: 'optional',
    faces: everywhere,
  })
  individualExternalLink!: string | null;
  @ManagedBy() managedBy!: string | null;

  @ToOne(() => AccessScope, 'accessScopeId', { doc: 'The access scope.', onDelete: 'cascade', faces: everywhere })
  accessScope!: AccessScope;
  @ToOne(() => Application, 'applicationId', { doc: 'The application.', onDelete: 'cascade', faces: everywhere })
  application!: Application;
}
