/** The demonstration data. */
import { demonstrationClientId } from '../src/config/production.js';
import type { DevelopmentUser } from './identityProvider.js';

interface DemoApplication {
  key: string;
  en: string;
  de: string;
  pt: string;
  description: string;
  appType?: string;
  renderingMode?: string;
  linkType?: string;
  more?: Record<string, unknown>;
}

const applications: DemoApplication[] = [
  {
    key: 'grid-monitor',
    en: 'Grid monitor',
    de: 'Netzmonitor',
    pt: 'Monitor da rede',
    description: 'Load and state of the network, live',
    more: { isTokenExchangeRequired: true, globalExternalLink: 'https://grid.example.com' },
  },
  {
    key: 'meter-reading',
    en: 'Meter reading',
    de: 'Zählerablesung',
    pt: 'Leitura de contadores',
    description: 'Readings of single meters',
    appType: 'mobile',
  },
  {
    key: 'outage-map',
    en: 'Outage map',
    de: 'Störungskarte',
    pt: 'Mapa de avarias',
    description: 'Where the current is off, and until when',
    renderingMode: 'iframe',
    more: { isIframe: true, globalExternalLink: 'https://outages.example.com' },
  },
  {
    key: 'work-orders',
    en: 'Work orders',
    de: 'Arbeitsaufträge',
    pt: 'Ordens de trabalho',
    description: 'What is to be done on site, and by whom',
    appType: 'mobile',
    more: { isTokenExchangeRequired: true },
  },
  {
    key: 'asset-register',
    en: 'Asset register',
    de: 'Anlagenverzeichnis',
    pt: 'Registo de ativos',
    description: 'Stations, cables and their papers',
  },
  {
    key: 'consumption',
    en: 'Consumption report',
    de: 'Verbrauchsbericht',
    pt: 'Relatório de consumo',
    description: 'Consumption by quarter and by district',
    appType: 'report',
  },
  {
    key: 'finance',
    en: 'Finance report',
    de: 'Finanzbericht',
    pt: 'Relatório financeiro',
    description: 'Cost and revenue of the works',
    appType: 'report',
    linkType: 'external',
    more: { globalExternalLink: 'https://finance.example.com' },
  },
  {
    key: 'device-desk',
    en: 'Device desk',
    de: 'Gerätezentrale',
    pt: 'Central de dispositivos',
    description: 'Sensors and their firmware; replaced by the asset register',
    more: { isActive: false },
  },
];

const groupOf = ({ key }: DemoApplication): string => `app-${key}`;

const inLanguages = (translationGroup: string, fieldName: string, texts: { en: string; de: string; pt: string }) =>
  (['en', 'de', 'pt'] as const).map((languageCode) => ({
    translationGroup,
    fieldName,
    languageCode,
    translatedText: texts[languageCode],
  }));

/** The values of the first commands on the start screen. They are for demonstration only. */
export const demonstration = {
  user: 'ada',
  profileId: 'grid-operator',
  clientId: demonstrationClientId,
  clientSecret: 'demo-secret-for-development-only',
};

/** The guid of the nth record of a kind; each kind has its own first digits. */
const guidOf =
  (kind: string) =>
  (number: number): string =>
    `${kind}0000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const user = guidOf('de30');
const type = guidOf('de31');
const scope = guidOf('de32');
const application = guidOf('de33');
// seeded by the migrations
const adminScopes = [1, 2, 3].map((number) => `ad300000-0000-4000-8000-00000000000${number}`);

const people: [number, firstName: string, lastName: string, jobTitle: string, languagePreference: string][] = [
  [1, 'Ada', 'Berg', 'Control room operator', 'en'],
  [2, 'Bruno', 'Costa', 'Field technician', 'pt'],
  [3, 'Clara', 'Dietrich', 'Analyst', 'de'],
  [4, 'Diego', 'Esteves', 'Field technician', 'pt'],
  [5, 'Emma', 'Fischer', 'Head of operations', 'de'],
  [6, 'Grace', 'Hall', 'Administrator of Gatehouse', 'en'],
  [7, 'Mallory', 'Moss', 'Left the company: blocked', 'en'],
];
const blocked = 7;

const users = people.map(([number, firstName, lastName, jobTitle, languagePreference]) => ({
  userGuid: user(number),
  firstName,
  lastName,
  email: `${firstName.toLowerCase()}@example.com`,
  idpname: 'development',
  idpid: firstName.toLowerCase(),
  jobTitle,
  department: 'City works',
  languagePreference,
  isBlocked: number === blocked,
}));

/** The user of GraphiQL: the profile opens applications and has all administration permissions. */
export const demonstrationHolding = {
  userGuid: user(1),
  profileId: demonstration.profileId,
  roleId: 'administrator',
  scopes: ['admin:read', 'admin:write', 'admin:security'],
};

/** The people whom the development identity provider signs in. */
export const demonstrationUsers: DevelopmentUser[] = users.map(({ userGuid, firstName, lastName, email }) => ({
  sub: userGuid,
  email,
  name: `${firstName} ${lastName}`,
}));

const roles = [
  { roleId: 'operator', name: 'Operator', description: 'Runs the network' },
  { roleId: 'technician', name: 'Technician', description: 'Works on site' },
  { roleId: 'analyst', name: 'Analyst', description: 'Reads and reports' },
  { roleId: 'administrator', name: 'Administrator', description: 'Administers access' },
];

const accessScopeTypes = [
  { accessScopeTypeGuid: type(1), name: 'site', description: 'A place of the network', translationGroup: 'type-site' },
  { accessScopeTypeGuid: type(2), name: 'meter', description: 'A meter by its number' },
  { accessScopeTypeGuid: type(3), name: 'report', description: 'A kind of report' },
];

const accessScopes = [
  { accessScopeGuid: scope(1), accessScopeTypeGuid: type(1), name: 'Every site', isWildcard: true },
  { accessScopeGuid: scope(2), accessScopeTypeGuid: type(1), name: 'Northern station', accessScopeKey: 'north' },
  { accessScopeGuid: scope(3), accessScopeTypeGuid: type(1), name: 'Harbour station', accessScopeKey: 'harbour' },
  {
    accessScopeGuid: scope(4),
    accessScopeTypeGuid: type(1),
    name: 'Old mill, closed in 2019',
    accessScopeKey: 'old-mill',
    isActive: false,
  },
  { accessScopeGuid: scope(5), accessScopeTypeGuid: type(2), name: 'Meter of the town hall', concreteId: 4711 },
  { accessScopeGuid: scope(6), accessScopeTypeGuid: type(3), name: 'Consumption', accessScopeKey: 'consumption' },
  { accessScopeGuid: scope(7), accessScopeTypeGuid: type(3), name: 'Finance', accessScopeKey: 'finance' },
];

const profiles = [
  { profileId: 'grid-operator', name: 'Grid operator', accessScopeGuids: [scope(1), scope(6)] },
  { profileId: 'field-north', name: 'Field work, north', accessScopeGuids: [scope(2), scope(4), scope(5)] },
  { profileId: 'field-harbour', name: 'Field work, harbour', accessScopeGuids: [scope(3)] },
  { profileId: 'reporting', name: 'Reporting', accessScopeGuids: [scope(6), scope(7)] },
  { profileId: 'administration', name: 'Administration of Gatehouse', accessScopeGuids: adminScopes },
];

const userProfiles = (
  [
    [1, 'grid-operator', 'operator'],
    [1, 'reporting', 'analyst'],
    [2, 'field-north', 'technician'],
    [2, 'field-harbour', 'technician'],
    [3, 'reporting', 'analyst'],
    [4, 'field-harbour', 'technician'],
    [5, 'grid-operator', 'operator'],
    [5, 'reporting', 'analyst'],
    [6, 'administration', 'administrator'],
    [6, 'grid-operator', 'analyst'],
    [7, 'grid-operator', 'operator'],
  ] as const
).map(([number, profileId, roleId]) => ({ userGuid: user(number), profileId, roleId }));

/** Which access scopes open which applications. */
const accessScopeApplicationsMappers = [
  { applicationGuid: application(1), accessScopeGuid: scope(1) },
  {
    applicationGuid: application(1),
    accessScopeGuid: scope(2),
    individualExternalLink: 'https://grid.example.com/?site=north',
  },
  { applicationGuid: application(2), accessScopeGuid: scope(5) },
  { applicationGuid: application(3), accessScopeGuid: scope(3), state: 'planned' },
  { applicationGuid: application(6), accessScopeGuid: scope(6) },
  { applicationGuid: application(7), accessScopeGuid: scope(7) },
];
const accessScopeTypeApplicationsMappers = [
  { applicationGuid: application(3), accessScopeTypeGuid: type(1) },
  { applicationGuid: application(4), accessScopeTypeGuid: type(1) },
  { applicationGuid: application(5), accessScopeTypeGuid: type(1), state: 'inactive' },
  { applicationGuid: application(8), accessScopeTypeGuid: type(2) },
];

const { clientId, clientSecret } = demonstration;

/** The demonstration data as an import file. */
export const demonstrationFile = {
  roles,
  users,
  accessScopeTypes,
  accessScopes,
  profiles,
  userProfiles,
  applications: applications.map((each, index) => ({
    applicationGuid: application(index + 1),
    name: each.en,
    description: each.description,
    iconDefault: `/icons/${each.key}.svg`,
    iconHover: `/icons/${each.key}-hover.svg`,
    appType: each.appType ?? 'web',
    renderingMode: each.renderingMode ?? 'page',
    linkType: each.linkType ?? 'internal',
    translationGroup: groupOf(each),
    ...each.more,
  })),
  accessScopeApplicationsMappers,
  accessScopeTypeApplicationsMappers,
  translations: [
    ...applications.flatMap((each) => inLanguages(groupOf(each), 'name', each)),
    ...inLanguages('type-site', 'name', { en: 'Site', de: 'Standort', pt: 'Local' }),
  ],
  clients: [{ clientId, clientSecret, name: 'Demonstration client', description: 'For development only.' }],
};
