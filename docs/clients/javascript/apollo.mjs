import { ApolloClient, CombinedGraphQLErrors, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { possibleTypes, typePolicies } from './typePolicies.mjs';

const { GATEHOUSE, ADMIN_TOKEN } = process.env;
const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
const client = new ApolloClient({
  link: new HttpLink({ uri: `${GATEHOUSE}/graphql`, headers }),
  cache: new InMemoryCache({ typePolicies, possibleTypes }),
});
const roles = gql`query Roles { roles(orderBy: [{ roleId: ASC }]) { nodes { roleId name revision } } }`;
const role = gql`query Role($roleId: ID!) { role(roleId: $roleId) { roleId name revision } }`;
const create = gql`mutation Create($input: CreateRoleInput!) { createRole(input: $input) { roleId name revision } }`;
const update = gql`mutation Update($roleId: ID!, $name: String!, $ifRevision: Int) {
  updateRole(roleId: $roleId, input: { name: $name }, ifRevision: $ifRevision) { roleId name revision } }`;
const shown = () =>
  client
    .readQuery({ query: roles })
    .roles.nodes.map(({ name }) => name)
    .join();

// lists that were read before do not contain a new record: read them again
await client.query({ query: roles });
await client.mutate({ mutation: create, variables: { input: { roleId: 'zz-guest', name: 'Guest' } } });
await client.query({ query: roles, fetchPolicy: 'network-only' });
// from the cache, by its key, without a request
const { data } = await client.query({ query: role, variables: { roleId: 'zz-guest' }, fetchPolicy: 'cache-only' });
console.log(data.role.name, data.role.revision);

// the answer of an update changes the record in the list
const seen = data.role.revision;
await client.mutate({ mutation: update, variables: { roleId: 'zz-guest', name: 'Visitor', ifRevision: seen } });
console.log(shown().includes('Visitor'));

// errors have codes, and problems by input path
const refused = (variables) =>
  client.mutate({ mutation: update, variables }).catch((error) => {
    if (!CombinedGraphQLErrors.is(error)) throw error; // no answer: the network, or 401
    const [{ extensions }] = error.errors;
    console.log(extensions.code, Object.keys(extensions.problems ?? {}).join());
  });
await refused({ roleId: 'zz-guest', name: 'Late', ifRevision: seen }); // somebody else changed it: read it again
await refused({ roleId: 'zz-guest', name: '' });

// do not cache the result of a dry run
const dryRun = gql`mutation Look($changes: [ChangeInput!]!) {
  applyChanges(changes: $changes, dryRun: true) { changeSetGuid effect { gains { users } loses { users } } } }`;
const changes = [{ deleteRole: { roleId: 'zz-guest' } }];
const looked = await client.mutate({ mutation: dryRun, variables: { changes }, fetchPolicy: 'no-cache' });
console.log(looked.data.applyChanges.effect.loses.users);

// a deletion returns the key of the deleted record
const remove = gql`mutation Remove($roleId: ID!) { deleteRole(roleId: $roleId) }`;
await client.mutate({
  mutation: remove,
  variables: { roleId: 'zz-guest' },
  update(cache, { data: { deleteRole: roleId } }) {
    cache.evict({ id: cache.identify({ __typename: 'Role', roleId }) });
    cache.gc();
  },
});
console.log(shown().includes('Visitor'));
