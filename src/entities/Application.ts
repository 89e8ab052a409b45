/** An application of the catalogue. */
import type { Collection } from '@mikro-orm/core';
import { AccessScopeApplicationsMapper } from './AccessScopeApplicationsMapper.js';
import { AccessScopeTypeApplicationsMapper } from './AccessScopeTypeApplicationsMapper.js';
import { everywhere, inside } from './description.js';
import { Flag, Guid, Key, Record, Text, ToMany } from './fields.js';
import { ManagedBy } from './Managed.js';
import { Stamped } from './Stamped.js';
import { Translation } from './Translation.js';

@Record({ table: 'applications', doc: 'An application of the catalogue.', isOfCatalogue: true, faces: everywhere })
export class Application extends Stamped {
  @Key('integer', 'Number of the application.') applicationId!: number;
  @Guid('Guid of the application.', { unique: true, default: 'gen_random_uuid()' }) applicationGuid!: string;
  @Text('Display name.', { max: 255, create: 'required', isBesideAccess: true }) name!: string;
  @Text('Description shown to people.', { max: 255, nullable: true, create: 'optional', isBesideAccess: true })
  description!: string | null;
  @Text('The icon.', { max: 512, create: 'required', isBesideAccess: true }) iconDefault!: string;
  @Text('The icon under the pointer.', { max: 512, create: 'required', isBesideAccess: true }) iconHover!: string;
  @Text('Type of the application.', { max: 50, create: 'required', isBesideAccess: true }) appType!: string;
  @Text('How the application is rendered.', { max: 50, create: 'required', isBesideAccess: true })
  renderingMode!: string;
  @Text('How the link opens.', { max: 50, create: 'required', isBesideAccess: true }) linkType!: string;
  @Text('Link to the application, unless the mapping has an individual link.', {
    max: 512,
    nullable: true,
    create: 'optional',
    isBesideAccess: true,
  })
  globalExternalLink!: string | null;
  @Text('Name of the translation group of the record.', {
    max: 50,
    nullable: true,
    create: 'optional',
    isBesideAccess: true,
  })
  translationGroup!: string | null;
  @Flag('Whether the application requires a token exchange.', {
    nullable: true,
    create: 'optional',
    isBesideAccess: true,
  })
  isTokenExchangeRequired!: boolean | null;
  @Flag('Whether the application is shown in an iframe.', { nullable: true, create: 'optional', isBesideAccess: true })
  isIframe!: boolean | null;
  @Flag('Whether the application is active.', { default: 'true' }) isActive!: boolean;
  @Flag('Whether people may request access to the application.', {
    default: 'false',
    faces: inside,
    isBesideAccess: true,
  })
  isRequestable!: boolean;
  @Text(
    'Id of the profile whose holders own the application: they may approve changes of its mappings; null if it has no owner.',
    { max: 50, nullable: true, create: 'optional', faces: inside, isBesideAccess: true },
  )
  ownerProfileId!: string | null;
  @ManagedBy() managedBy!: string | null;

  @ToMany(
    () => AccessScopeApplicationsMapper,
    'applicationId',
    'The mappings of access scopes that open the application.',
  )
  accessScopeApplicationsMappers!: Collection<AccessScopeApplicationsMapper>;
  @ToMany(
    () => AccessScopeTypeApplicationsMapper,
    'applicationId',
    'The mappings of access scope types that open the application.',
  )
  accessScopeTypeApplicationsMappers!: Collection<AccessScopeTypeApplicationsMapper>;
  @ToMany(() => Translation, 'translationGroup', 'The translations of the texts of the record.')
  translations!: Translation[];
}
