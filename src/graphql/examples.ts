/** Operations to begin with: in GraphiQL, in docs/graphql.md, and run by real clients in the tests. */

export interface Example {
  title: string;
  query: string;
  variables?: object;
}

/** Of the demonstration data. */
export const exampleHolding = { userGuid: 'de300000-0000-4000-8000-000000000001', profileId: 'grid-operator' };

export const examples: Example[] = [
  {
    title: 'Applications with everything that opens them, in one request',
    query: `query Applications($first: Int!) {
  applications(first: $first, orderBy: [{ name: ASC }]) {
    totalCount
    nodes {
      applicationGuid
      name
      createdByNavigation { firstName lastName }
      accessScopeApplicationsMappers {
        nodes {
          state
          individualExternalLink
          accessScope { name accessScopeKey accessScopeType { name } }
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
      profileAccessScopes { nodes { accessScope { name isActive accessScopeType { name } } } }
      userProfiles(orderBy: [{ user: { lastName: ASC } }]) { totalCount nodes { user { userGuid firstName lastName } role { name } } }
    }
  }
}`,
  },
  {
    title: 'Users by name, a page at a time',
    query: `query Users($filter: UserFilter, $after: String) {
  users(first: 5, after: $after, filter: $filter, orderBy: [{ lastName: ASC }, { firstName: ASC }]) {
    edges { cursor node { userGuid firstName lastName userProfiles { nodes { profile { name } } } } }
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
    user { firstName lastName }
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
    scopes { scope isIssued why accessScope { name } }
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
