/** An application of the catalogue. */
import type { Collection } from '@mikro-orm/core';
import { AccessScopeApplicationsMapper } from './AccessScopeApplicationsMapper.js';
import { AccessScopeTypeApplicationsMapper } from './AccessScopeTypeApplicationsMapper.js';
import { everywhere, inside } from './description.js';
import { Flag, Guid, Key, Record, Text, ToMany } from './fields.js';
import { ManagedBy } from './Managed.js';
import { Stamped } from './Stamped.js';
import { Translation } from './Translation.js';

@Record({ table: 'applications', doc: 'An application of the catalogue.' })
export class Application extends Stamped {
  @Key('integer', { doc: 'Number of the application.', faces: everywhere }) applicationId!: number;
  @Guid({ doc: 'Guid of the application.', unique: true, default: 'gen_random_uuid()', faces: everywhere })
  applicationGuid!: string;
  @Text({ doc: 'Display name.', max: 255, create: 'required', faces: everywhere }) name!: string;
  @Text({ doc: 'Description shown to people.', max: 255, nullable: true, create: 'optional', faces: everywhere })
  description!: string | null;
  @Text({ doc: 'The icon.', max: 512, create: 'required', faces: everywhere }) iconDefault!: string;
  @Text({ doc: 'The icon under the pointer.', max: 512, create: 'required', faces: everywhere }) iconHover!: string;
  @Text({ doc: 'Type of the application.', max: 50, create: 'required', faces: everywhere }) appType!: string;
  @Text({ doc: 'How the application is rendered.', max: 50, create: 'required', faces: everywhere })
  renderingMode!: string;
  @Text({ doc: 'How the link opens.', max: 50, create: 'required', faces: everywhere }) linkType!: string;
  @Text({
    doc: 'Link to the application where the mapping has no individual link.',
    max: 512,
    nullable: true,
    create: 'optional',
    faces: everywhere,
  })
  globalExternalLink!: string | null;
  @Text({ doc: 'The group of its translations.', max: 50, nullable: true, create: 'optional', faces: everywhere })
  translationGroup!: string | null;
  @Flag({
    doc: 'Whether the application requires a token exchange.',
    nullable: true,
    create: 'optional',
    faces: everywhere,
  })
  isTokenExchangeRequired!: boolean | null;
  @Flag({
    doc: 'Whether the application is shown in an iframe.',
    nullable: true,
    create: 'optional',
    faces: everywhere,
  })
  isIframe!: boolean | null;
  @Flag({ doc: 'Whether it is active.', default: 'true', faces: everywhere }) isActive!: boolean;
  @Flag({
    doc: 'Whether people may request access to it.',
    default: 'false',
    faces: inside,
  })
  isRequestable!: boolean;
  @Text({
    doc: 'Id of the profile whose holders own the application: they may approve changes of its mappings; null if it has no owner.',
    max: 50,
    nullable: true,
    create: 'optional',
    faces: inside,
  })
  ownerProfileId!: string | null;
  @ManagedBy() managedBy!: string | null;

  @ToMany(() => AccessScopeApplicationsMapper, 'applicationId', {
    doc: 'The access scopes that open it.',
    faces: everywhere,
  })
  accessScopeApplicationsMappers!: Collection<AccessScopeApplicationsMapper>;
  @ToMany(() => AccessScopeTypeApplicationsMapper, 'applicationId', {
    doc: 'The access scope types that open it.',
    faces: everywhere,
  })
  accessScopeTypeApplicationsMappers!: Collection<AccessScopeTypeApplicationsMapper>;
  @ToMany(() => Translation, 'translationGroup', { doc: 'The translations of its texts.', faces: everywhere })
  translations!: Translation[];
}
