/** Real clients run the documented operations: with variables, with errors, with persisted queries. */
import { readFileSync } from 'node:fs';
import {
  ApolloClient,
  type ApolloLink,
  gql,
  HttpLink,
  InMemoryCache,
  type PossibleTypesMap,
  type TypePolicies,
} from '@apollo/client';
import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { Client, fetchExchange } from '@urql/core';
import { GraphQLClient } from 'graphql-request';
import { demonstrationFile } from '../../dev/demoData.js';
import { type Example, exampleChangeSet, examples } from '../../src/graphql/examples.js';
import { importFile } from '../../src/modules/transfer/importFile.js';
import { allAdminScopes, startTestGraph, type TestGraph } from './graph.js';
import { sha256 } from './sha256.js';

let graph: TestGraph;
let headers: Record<string, string>;
beforeAll(async () => {
  graph = await startTestGraph();
  await importFile(graph.app.context, demonstrationFile);
  const token = graph.token(allAdminScopes, {
    sub: 'de300000-0000-4000-8000-000000000001',
    profileId: 'grid-operator',
  });
  headers = { authorization: `Bearer ${token}` };
});
afterAll(() => graph?.close());

const uri = () => `${graph.app.url}/graphql`;
/** Of a change set, one that there is. */
async function variablesOf({ variables = {} }: Example): Promise<object> {
  const text = JSON.stringify(variables);
  if (!text.includes(exampleChangeSet)) return variables;
  const { changeSets } = await graph.data(
    '{ changeSets(first: 1, orderBy: [{ occurredAt: DESC }]) { nodes { changeSetGuid } } }',
  );
  return JSON.parse(text.replace(exampleChangeSet, changeSets.nodes[0].changeSetGuid));
}
const isMutation = ({ query }: Pick<Example, 'query'>) => /^mutation\b/m.test(query);
// biome-ignore lint/suspicious/noExplicitAny: whatever the operation answers
type Data = any;
type Run = (query: string, variables?: object) => Promise<{ data?: Data; codes: string[] }>;

const apollo = (link: ApolloLink): Run => {
  const client = new ApolloClient({ link, cache: new InMemoryCache() });
  return async (query, variables = {}) => {
    const document = gql(query);
    const options = { errorPolicy: 'all', fetchPolicy: 'no-cache', variables } as const;
    const { data, error } = isMutation({ query })
      ? await client.mutate({ mutation: document, ...options })
      : await client.query({ query: document, ...options });
    if (error && !CombinedGraphQLErrors.is(error)) throw error;
    return { data, codes: error?.errors.map(({ extensions }) => String(extensions?.code)) ?? [] };
  };
};
/** With the documented cache: what it can't store it refuses. */
const apolloWithCache = (): Run => {
  const link = new HttpLink({ uri: uri(), headers });
  const client = new ApolloClient({ link, cache: new InMemoryCache(documentedCache()) });
  return async (query, variables = {}) => {
    const document = gql(query);
    const { data, error } = isMutation({ query })
      ? await client.mutate({ mutation: document, variables, errorPolicy: 'all' })
      : await client.query({ query: document, variables, errorPolicy: 'all' });
    if (error && !CombinedGraphQLErrors.is(error)) throw error;
    if (!error && !isMutation({ query })) expect(client.readQuery({ query: document, variables })).toEqual(data);
    return { data, codes: error?.errors.map(({ extensions }) => String(extensions?.code)) ?? [] };
  };
};

function documentedCache(): { typePolicies: TypePolicies; possibleTypes: PossibleTypesMap } {
  const program = readFileSync(new URL('../../../docs/clients/javascript/typePolicies.mjs', import.meta.url), 'utf8');
  return new Function(`${program.replaceAll('export const', 'const')} return { typePolicies, possibleTypes };`)();
}

const clients: Record<string, () => Run> = {
  '@apollo/client with its cache': apolloWithCache,
  '@apollo/client': () => apollo(new HttpLink({ uri: uri(), headers })),
  '@apollo/client with persisted queries': () =>
    apollo(new PersistedQueryLink({ sha256 }).concat(new HttpLink({ uri: uri(), headers }))),
  urql: () => {
    const client = new Client({
      url: uri(),
      exchanges: [fetchExchange],
      fetchOptions: { headers },
      preferGetMethod: false,
    });
    return async (query, variables = {}) => {
      const run = isMutation({ query }) ? client.mutation(query, variables) : client.query(query, variables);
      const { data, error } = await run.toPromise();
      return { data, codes: error?.graphQLErrors.map(({ extensions }) => String(extensions.code)) ?? [] };
    };
  },
  'graphql-request': () => {
    // it reads no body of a 4xx or 5xx: docs/graphql.md has this way past it
    const readWhole = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const response = await fetch(input, init);
      const isGraphql = response.headers.get('content-type')?.startsWith('application/graphql-response+json');
      return isGraphql ? new Response(response.body, { headers: response.headers }) : response;
    };
    const client = new GraphQLClient(uri(), { headers, errorPolicy: 'all', fetch: readWhole });
    return async (query, variables = {}) => {
      const { data, errors = [] } = await client.rawRequest(query, variables as Record<string, never>);
      return { data, codes: errors.map(({ extensions }) => String(extensions.code)) };
    };
  },
};

describe.each(Object.keys(clients))('%s', (name) => {
  it.each(examples)('$title', async (example) => {
    const run = clients[name]!();
    const variables = await variablesOf(example);
    for (const _time of isMutation(example) ? [1] : [1, 2]) {
      const { data, codes } = await run(example.query, variables);
      expect(codes).toEqual([]);
      const [field] = Object.values(data) as Record<string, unknown>[];
      const shown = (field!.nodes ?? field!.edges ?? field!.scopes ?? [1]) as unknown[];
      expect(shown.length).toBeGreaterThan(0);
    }
  });

  it('tells errors with their codes', async () => {
    const run = clients[name]!();
    const { codes } = await run('query ($guid: UUID!) { accessOf(applicationGuid: $guid) { link } }', {
      guid: '00000000-0000-0000-0000-000000000009',
    });
    expect(codes).toEqual(['NOT_FOUND']);
  });
});
