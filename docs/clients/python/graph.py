import os

from gql import Client, gql
from gql.transport.exceptions import TransportQueryError
from gql.transport.requests import RequestsHTTPTransport

transport = RequestsHTTPTransport(
    url=os.environ["GATEHOUSE"] + "/graphql", headers={"Authorization": "Bearer " + os.environ["ADMIN_TOKEN"]}
)
client = Client(transport=transport, fetch_schema_from_transport=True)

create = gql("mutation Create($input: CreateRoleInput!) { createRole(input: $input) { roleId name revision } }")
create.variable_values = {"input": {"roleId": "python-guest", "name": "Guest"}}
created = client.execute(create)["createRole"]

roles = gql("query Roles($name: String!) { roles(filter: { name: { eq: $name } }) { nodes { roleId name revision } } }")
roles.variable_values = {"name": "Guest"}
print(created in client.execute(roles)["roles"]["nodes"])

update = gql("""
    mutation Update($seen: Int!) {
      updateRole(roleId: "python-guest", input: { name: "G" }, ifRevision: $seen) { roleId }
    }""")
update.variable_values = {"seen": created["revision"] + 1}
try:
    client.execute(update)  # somebody else has changed it since it was read
except TransportQueryError as error:
    print(error.errors[0]["extensions"]["code"])
