/** Operations to begin with: in GraphiQL, in docs/graphql.md, and run by real clients in the tests. */

export interface Example {
  title: string;
  query: string;
  variables?: object;
}

/** Of the demonstration data. */
export const exampleHolding = { userGuid: 'de300000-0000-4000-8000-000000000001', profileId: 'grid-operator' };

/** Stands where a guid of theirs belongs. */
export const exampleChangeSet = '00000000-0000-4000-8000-000000000000';
const assetRegister = 'de330000-0000-4000-8000-000000000005';

export const examples: Example[] = [
  {
    title: 'Applications with everything that opens them, in one request',
    query: `query Applications($first: Int!) {
  applications(first: $first, orderBy: [{ name: ASC }]) {
    totalCount
    nodes {
      applicationGuid
      name
      createdByNavigation { userGuid firstName lastName }
      accessScopeApplicationsMappers {
        nodes {
          accessScopeApplicationsMapperId
          state
          individualExternalLink
          accessScope { accessScopeGuid name accessScopeKey accessScopeType { accessScopeTypeGuid name } }
        }
      }
      translations(filter: { fieldName: { eq: "name" } }) { nodes { languageCode translatedText } }
    }
    pageInfo { hasNextPage endCursor }
  }
}`,
    variables: { first: 10 },
  },
  {
    title: 'Who holds a profile, and what it gives',
    query: `query Profiles {
  profiles(filter: { profileAccessScopes: { some: { accessScope: { accessScopeType: { name: { eq: "report" } } } } } }) {
    nodes {
      profileId
      name
      profileAccessScopes {
        nodes { profileAccessScopeId accessScope { accessScopeGuid name isActive accessScopeType { accessScopeTypeGuid name } } }
      }
      userProfiles(orderBy: [{ user: { lastName: ASC } }]) {
        totalCount
        nodes { userProfileId user { userGuid firstName lastName } role { roleId name } }
      }
    }
  }
}`,
  },
  {
    title: 'Users by name, a page at a time',
    query: `query Users($filter: UserFilter, $after: String) {
  users(first: 5, after: $after, filter: $filter, orderBy: [{ lastName: ASC }, { firstName: ASC }]) {
    edges { cursor node { userGuid firstName lastName userProfiles { nodes { userProfileId profile { profileId name } } } } }
    pageInfo { hasNextPage endCursor }
  }
}`,
    variables: { filter: { lastName: { contains: 'a', ignoreCase: true } }, after: null },
  },
  {
    title: 'The tiles of a portal: who am I, and what does my profile open',
    query: `query Viewer($languageCode: String) {
  viewer(languageCode: $languageCode) {
    profileId
    roleId
    scopes
    user { userGuid firstName lastName }
    applications { applicationGuid name description iconDefault link }
  }
}`,
    variables: { languageCode: 'de' },
  },
  {
    title: 'Why would a user get a scope',
    query: `query PreviewToken($userGuid: UUID!, $profileId: ID!) {
  previewToken(userGuid: $userGuid, profileId: $profileId) {
    isIssued
    refusal
    claims { sub profileId roleId scopes }
    scopes { scope isIssued why accessScope { accessScopeGuid name } }
  }
}`,
    variables: exampleHolding,
  },
  {
    title: 'A change: a new application, refused when an input is wrong',
    query: `mutation CreateApplication($input: CreateApplicationInput!) {
  createApplication(input: $input) { applicationGuid name revision createdDate }
}`,
    variables: {
      input: {
        name: 'Weather',
        iconDefault: 'weather.svg',
        iconHover: 'weather-hover.svg',
        appType: 'web',
        renderingMode: 'tab',
        linkType: 'external',
        globalExternalLink: 'https://weather.example.com',
      },
    },
  },
  {
    title: 'Why a user can not open an application, and what would open it',
    query: `query Why($userGuid: UUID!, $applicationGuid: UUID!) {
  explainAccess(userGuid: $userGuid, applicationGuid: $applicationGuid) {
    isOpen
    reasons
    ways { isOpen links { holds reason text } }
    remedies { text changes othersGaining }
  }
}`,
    variables: { userGuid: 'de300000-0000-4000-8000-000000000004', applicationGuid: assetRegister },
  },
  {
    title: 'A dry run: who gains and who loses what by a change',
    query: `mutation Look($changes: [ChangeInput!]!) {
  applyChanges(dryRun: true, changes: $changes) {
    changeSetGuid
    catalogueVersion
    effect {
      gains {
        applications scopes profiles users sessions
        items {
          profile { profileId name }
          application { applicationGuid name }
          scope
          users
          people { userGuid firstName lastName }
        }
      }
      loses { applications scopes profiles users sessions }
    }
  }
}`,
    variables: {
      changes: [
        {
          mapping: {
            applicationGuid: assetRegister,
            accessScopeTypeGuid: 'de310000-0000-4000-8000-000000000001',
            from: 'inactive',
            to: 'active',
          },
        },
      ],
    },
  },
  {
    title: 'What was changed, by whom, when and why; and what became of a record',
    query: `query History($subjectType: String!, $subjectId: String!) {
  changeSets(first: 5, orderBy: [{ occurredAt: DESC }]) {
    nodes {
      changeSetGuid
      occurredAt
      face
      note
      actorNavigation { userGuid firstName lastName }
      events(first: 10) { totalCount nodes { auditEventId action subjectType subjectId } }
    }
  }
  history(subjectType: $subjectType, subjectId: $subjectId) {
    nodes { recordVersionId action changes { field before after } changeSet { changeSetGuid occurredAt note } }
  }
}`,
    variables: { subjectType: 'Application', subjectId: assetRegister },
  },
  {
    title: 'A search, with the records that it finds',
    query: `query Search($text: String!) {
  search(text: $text, first: 3) {
    kind
    label
    record {
      __typename
      ... on Stamped { modifiedDate modifiedByNavigation { userGuid firstName lastName } }
      ... on Managed { managedBy }
      ... on Application { applicationGuid isActive }
      ... on AccessScope { accessScopeGuid accessScopeKey }
      ... on AccessScopeType { accessScopeTypeGuid }
      ... on Profile { profileId profileAccessScopes(first: 10) { totalCount } }
      ... on Role { roleId }
      ... on User { userGuid email isBlocked }
      ... on Client { clientId secretLastUsedAt }
      ... on ChangeSet { changeSetGuid note }
    }
  }
}`,
    variables: { text: 'sta' },
  },
  {
    title: 'Taking a change back, tried first; with the guid of one of those above',
    query: `# changeSetGuid: of one that History shows
mutation Undo($changeSetGuid: UUID!) {
  undoChangeSet(changeSetGuid: $changeSetGuid, dryRun: true) {
    changeSetGuid
    undoes { changeSetGuid occurredAt note }
    effect { gains { users } loses { users } }
  }
}`,
    variables: { changeSetGuid: exampleChangeSet },
  },
];

/** The examples as Markdown, for docs/graphql.md. */
export const examplesText = (): string =>
  examples
    .map(({ title, query, variables }) =>
      [
        `### ${title}`,
        '',
        '```graphql',
        query,
        '```',
        ...(variables ? ['', '```json', JSON.stringify(variables, null, 2), '```'] : []),
      ].join('\n'),
    )
    .join('\n\n');
