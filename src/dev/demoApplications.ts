/** The applications of the demonstration data, with their names in three languages. */

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

/** As rows of an import file. @param guidOf gives the guid of the nth application, from 1 */
export const demonstrationApplications = (guidOf: (number: number) => string) =>
  applications.map((application, index) => ({
    applicationGuid: guidOf(index + 1),
    name: application.en,
    description: application.description,
    iconDefault: `/icons/${application.key}.svg`,
    iconHover: `/icons/${application.key}-hover.svg`,
    appType: application.appType ?? 'web',
    renderingMode: application.renderingMode ?? 'page',
    linkType: application.linkType ?? 'internal',
    translationGroup: groupOf(application),
    ...application.more,
  }));

const inLanguages = (translationGroup: string, fieldName: string, texts: { en: string; de: string; pt: string }) =>
  (['en', 'de', 'pt'] as const).map((languageCode) => ({
    translationGroup,
    fieldName,
    languageCode,
    translatedText: texts[languageCode],
  }));

export const demonstrationTranslations = [
  ...applications.flatMap((application) => inLanguages(groupOf(application), 'name', application)),
  ...inLanguages('type-site', 'name', { en: 'Site', de: 'Standort', pt: 'Local' }),
];
