/** An import file with all that one may have; each call names other records. */
import { randomUUID } from 'node:crypto';

/** A file with every documented scalar of every list. */
export function completeFile() {
  const [user, type, scope, application] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const name = randomUUID().slice(0, 8);
  const stamps = {
    createdDate: '2020-01-02T03:04:05.678Z',
    createdBy: user,
    modifiedDate: '2021-01-02T03:04:05.678Z',
    modifiedBy: user,
  };
  const id = Math.floor(Math.random() * 1e9) + 1_000;
  return {
    roles: [{ roleId: `r-${name}`, name: 'Role', description: 'About it', ...stamps }],
    users: [
      {
        userId: id,
        userGuid: user,
        salutation: 'Ms',
        title: 'Dr.',
        firstName: 'Ada',
        lastName: 'Lovelace',
        idpname: 'names',
        idpid: `ada-${name}`,
        telephone: '+44 1',
        email: 'ada@example.com',
        status: 'active',
        statusId: 3,
        lastLoginDate: '2022-01-02T03:04:05.678Z',
        jobTitle: 'Analyst',
        jobTitleAdditional: 'of engines',
        jobTitleId: -4,
        department: 'Engines',
        languagePreference: 'en',
        emailSubscriptions: 'none',
        notificationOptions: '{"mail":true}',
        anbversion: '1.0',
        anbacceptanceDate: '2019-01-02T03:04:05.678Z',
        assignedCustomerSupportGuid: user,
        invitedBy: user,
        invitationDate: '2018-01-02T03:04:05.678Z',
        uipreferences: '{"dark":true}',
        isBlocked: false,
        ...stamps,
      },
    ],
    accessScopeTypes: [
      {
        accessScopeTypeId: id,
        accessScopeTypeGuid: type,
        name: `type-${name}`,
        description: 'A type',
        translationGroup: `tt-${name}`,
        isActive: true,
        ...stamps,
      },
    ],
    accessScopes: [
      {
        accessScopeId: id,
        accessScopeGuid: scope,
        accessScopeTypeId: id,
        accessScopeTypeGuid: type,
        name: 'Scope',
        accessScopeKey: 'key',
        concreteId: 7,
        description: 'A scope',
        translationGroup: `ts-${name}`,
        isWildcard: false,
        isActive: true,
        ...stamps,
      },
    ],
    profiles: [{ profileId: `p-${name}`, name: 'Profile', description: 'x', accessScopeGuids: [scope], ...stamps }],
    userProfiles: [
      { userProfileId: id, userId: id, userGuid: user, profileId: `p-${name}`, roleId: `r-${name}`, ...stamps },
    ],
    applications: [
      {
        applicationId: id,
        applicationGuid: application,
        name: 'Application',
        description: 'An application',
        iconDefault: 'icon.svg',
        iconHover: 'hover.svg',
        appType: 'web',
        renderingMode: 'page',
        linkType: 'internal',
        globalExternalLink: 'https://example.com',
        translationGroup: `ta-${name}`,
        isTokenExchangeRequired: true,
        isIframe: false,
        isActive: true,
        ...stamps,
      },
    ],
    accessScopeApplicationsMappers: [
      {
        accessScopeApplicationsMapperId: id,
        accessScopeId: id,
        applicationId: id,
        applicationGuid: application,
        accessScopeGuid: scope,
        state: 'active',
        individualExternalLink: 'https://example.com/a',
        ...stamps,
      },
    ],
    accessScopeTypeApplicationsMappers: [
      {
        accessScopeTypeApplicationsMapperId: id,
        accessScopeTypeId: id,
        applicationId: id,
        applicationGuid: application,
        accessScopeTypeGuid: type,
        state: 'planned',
        ...stamps,
      },
    ],
    translations: [
      { translationGroup: `ta-${name}`, fieldName: 'name', languageCode: 'de', translatedText: 'Anwendung' },
    ],
    clients: [
      {
        clientId: `c-${name}`,
        clientSecret: `secret-${name}`,
        name: 'Client',
        description: 'A client',
        createdAt: '2020-01-02T03:04:05.678Z',
        isActive: true,
      },
    ],
    tokens: [
      {
        id,
        userGuid: user,
        userId: user,
        profileId: `p-${name}`,
        token: `old-token-${name}`,
        tokenType: 'refresh',
        createdAt: '2020-01-02T03:04:05.678Z',
        expiresAt: '2099-01-02T03:04:05.678Z',
        revokedAt: null,
        isRevoked: false,
        clientId: `c-${name}`,
        createdByIp: '192.0.2.1',
        revokedByIp: null,
      },
    ],
  };
}
