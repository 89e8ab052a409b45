/** What fields are called by people: the one map for the sentences of changes, and for forms and histories of the console. */
const labels: Readonly<Record<string, string>> = {
  accessScopeKey: 'Key',
  accessScopeTypeGuid: 'Type',
  accessScopeType: 'Type',
  appType: 'Type',
  clientId: 'Id',
  concreteId: 'Number',
  email: 'E-mail',
  externalGroup: 'Group of the connector',
  firstName: 'First name',
  globalExternalLink: 'Link',
  iconDefault: 'Icon',
  iconHover: 'Icon under the pointer',
  idpid: 'Id there',
  idpname: 'Identity provider',
  individualExternalLink: 'Own link',
  isActive: 'In use',
  isBlocked: 'Blocked',
  isIframe: 'In an iframe',
  isRequestable: 'May be requested',
  isTokenExchangeRequired: 'Needs a token exchange',
  isWildcard: 'For all of its type',
  jobTitle: 'Job',
  languagePreference: 'Language',
  lastName: 'Last name',
  linkType: 'Kind of link',
  mayEvaluate: 'May ask for decisions',
  ownerProfile: 'Owner',
  ownerProfileId: 'Owner',
  profileId: 'Id',
  renderingMode: 'Rendering',
  roleId: 'Id',
  translationGroup: 'Group of translations',
  validUntil: 'Ends',
};

/** Such as “Group of translations”; of a field without a name of its own its words: `createdDate` is “Created date”. */
export function fieldLabel(field: string): string {
  const label = Object.hasOwn(labels, field) ? labels[field] : undefined;
  if (label) return label;
  const spaced = field.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
