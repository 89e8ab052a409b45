/** Connectors for tests, and their requests. */
import type { Context } from '../../src/context.js';
import { createConnector } from '../../src/modules/scim/connectors.js';
import { type Answer, readAnswer } from './app.js';
import { insert, newRole, systemUser } from './records.js';

export type Scim = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;

/** A connector of its own `idpname`, with requests to /scim/v2 by its token. */
export async function newConnector(
  context: Context,
  url: string,
  connectorId: string,
  { idpname = connectorId, roleId = 'member' }: { idpname?: string; roleId?: string } = {},
): Promise<{ scim: Scim; token: string; connectorId: string; idpname: string; guid: string }> {
  await newRole(context, roleId);
  const { token, connector } = await createConnector(context, { connectorId, idpname, roleId });
  return { scim: scimOf(url, token), token, connectorId, idpname, guid: connector.connectorGuid };
}

export const scimOf =
  (url: string, token: string): Scim =>
  async (method, path, body, headers = {}) =>
    readAnswer(
      await fetch(`${url}/scim/v2${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/scim+json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    );

/** A profile that stands for the group. */
export async function newGroup({ sql }: Context, externalGroup: string, profileId = `profile-${externalGroup}`) {
  await insert(sql, 'profiles', {
    profile_id: profileId,
    name: profileId,
    external_group: externalGroup,
    created_by: systemUser,
  });
  return profileId;
}
