import { Client, cacheExchange, fetchExchange, gql } from '@urql/core';

const { GATEHOUSE, ADMIN_TOKEN } = process.env;
const client = new Client({
  url: `${GATEHOUSE}/graphql`,
  exchanges: [cacheExchange, fetchExchange],
  fetchOptions: { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } },
  preferGetMethod: false,
});
const roles = gql`query Roles($filter: RoleFilter) { roles(filter: $filter) { nodes { roleId name revision } } }`;
const variables = { filter: { roleId: { eq: 'zz-guest' } } };
const names = async () => {
  const { data, error } = await client.query(roles, variables, { additionalTypenames: ['Role'] });
  if (error) throw error;
  return data.roles.nodes.map(({ name }) => name).join() || 'none';
};
const create = gql`mutation Create($input: CreateRoleInput!) { createRole(input: $input) { roleId name revision } }`;
const update = gql`mutation Update($name: String!, $ifRevision: Int) {
  updateRole(roleId: "zz-guest", input: { name: $name }, ifRevision: $ifRevision) { roleId name revision } }`;

const before = await names();
await client.mutation(create, { input: { roleId: 'zz-guest', name: 'Guest' } });
console.log(before, await names());
const { data } = await client.mutation(update, { name: 'Visitor', ifRevision: 1 });
console.log(data.updateRole.revision, await names());

const { error } = await client.mutation(update, { name: 'Late', ifRevision: 1 });
console.log(error.networkError === undefined, error.graphQLErrors[0].extensions.code);

// a deletion returns only a key: name the type whose lists change
const remove = gql`mutation { deleteRole(roleId: "zz-guest") }`;
await client.mutation(remove, {}, { additionalTypenames: ['Role'] });
console.log(await names());
