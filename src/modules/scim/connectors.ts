/** Connectors: identity providers that provision their users over SCIM. Creates, rotates, revokes and finds them. */
import { hash, randomUUID } from 'node:crypto';
import type { Caller, ConnectorScope } from '../../auth/caller.js';
import { generateSecret } from '../../auth/clientSecret.js';
import type { ClientGrant, Context, Dependencies, EntityManager } from '../../context.js';
import { Client } from '../../entities/Client.js';
import { Connector } from '../../entities/Connector.js';
import { Role } from '../../entities/Role.js';
import { badInput, conflict, forbidden, throwReadFailure } from '../../errors.js';
import { endOfPrevious } from '../../services/people/previousSecret.js';
import { permit, requireFreshSignIn } from '../../services/permit.js';
import { change, requireRecord, runIn, unknownReference, writeAudit } from '../../services/records/change.js';
import { inputFields, requireInput } from '../../services/records/input.js';
import { accessTokenSeconds, issueAccessToken } from '../../services/tokens/claims.js';
import { type Credentials, requireClient, searchableClientId } from '../../services/tokens/client.js';
import { verify } from '../../services/tokens/validate.js';

interface ConnectorInput {
  connectorId: string;
  idpname: string;
  roleId: string;
  /** The client that may request tokens for the connector. */
  clientId?: string | null;
}

interface ConnectorWithToken {
  connector: Connector;
  /** In clear text, returned only once: only its hash is stored. */
  token: string;
}

/** Every token of a connector begins with this, so that secret scanners recognize it. */
const tokenPrefix = 'gatehouse_scim_';
const tokenForm = /^gatehouse_scim_[\w-]{43}$/;
const nameForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$/;

/** A fast hash is enough for 32 random bytes: nobody can guess them (docs/decisions/0044). */
const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer');
const makeToken = () => {
  const token = tokenPrefix + generateSecret();
  return { token, tokenHash: hashOf(token) };
};

const fields = inputFields(Connector, { mode: 'create' });

/** Creates a connector. Throws BAD_USER_INPUT, NOT_FOUND for an unknown role or client, CONFLICT for a name that exists already. */
export async function createConnector(context: Context, input: ConnectorInput): Promise<ConnectorWithToken> {
  permit(context, 'admin:security');
  requireFreshSignIn(context);
  const values = requireInput(fields, input) as unknown as ConnectorInput;
  const { connectorId, roleId, clientId } = values;
  if (!nameForm.test(connectorId))
    throw badInput({ connectorId: ['The connectorId field must be letters, digits, dots, hyphens and underscores.'] });
  const { token, tokenHash } = makeToken();
  const connector = await change(context, 'admin:security', async (em) => {
    if (await em.findOne(Connector, { connectorId })) throw conflict('A connector with this name exists already.');
    const role = await em.findOne(Role, { roleId });
    if (!role) throw unknownReference('roleId', 'role');
    if (clientId && !(await em.findOne(Client, { clientId }))) throw unknownReference('clientId', 'client');
    if (clientId && (await em.findOne(Connector, { clientId }))) throw conflict('Another connector has the client.');
    const connectorGuid = randomUUID();
    await audit(em, 'create', connectorGuid);
    const { roleId: _roleId, ...others } = values;
    return em.create(Connector, { ...others, connectorGuid, role, tokenHash } as never, { partial: true });
  });
  return { connector, token };
}

/**
 * Gives a connector a new token, valid at once. The previous token stays valid for `keepPreviousHours` (0 to 8,760). A revoked
 * connector becomes valid again, with the new token only. Throws NOT_FOUND, BAD_USER_INPUT.
 */
export async function rotateConnectorToken(
  context: Context,
  connectorId: string,
  keepPreviousHours = 0,
): Promise<ConnectorWithToken> {
  permit(context, 'admin:security');
  requireFreshSignIn(context);
  const endsAt = endOfPrevious(context, keepPreviousHours);
  const { token, tokenHash } = makeToken();
  const connector = await changeConnector(context, connectorId, ['tokenHash'], (before) => {
    const keptUntil = before.isRevoked ? null : endsAt;
    return {
      tokenHash,
      previousTokenHash: keptUntil && before.tokenHash,
      previousTokenEndsAt: keptUntil,
      isRevoked: false,
    };
  });
  return { connector, token };
}

/** Refuses the connector from its next request on. Its users and their profiles stay. Throws NOT_FOUND. */
export const revokeConnector = (context: Context, connectorId: string): Promise<Connector> =>
  changeConnector(context, connectorId, ['isRevoked'], () => ({
    isRevoked: true,
    previousTokenHash: null,
    previousTokenEndsAt: null,
  }));

interface ListedConnector {
  connectorId: string;
  idpname: string;
  roleId: string;
  clientId: string | null;
  isRevoked: boolean;
  /** ISO 8601. */
  previousTokenEndsAt: string | null;
  lastUsedAt: string | null;
}

export function listConnectors(context: Context): Promise<ListedConnector[]> {
  permit(context, 'admin:security');
  return context.sql.rows<ListedConnector>(
    `select connector_id as "connectorId", idpname, role_id as "roleId", client_id as "clientId", is_revoked as "isRevoked",
       previous_token_ends_at as "previousTokenEndsAt", last_used_at as "lastUsedAt" from connectors order by connector_id`,
  );
}

/** Changes a connector. Writes the audit event itself, because connectors have no history from which triggers could write it. */
const changeConnector = (
  context: Context,
  connectorId: string,
  changed: string[],
  valuesFor: (connector: Connector) => Partial<Connector>,
): Promise<Connector> =>
  change(context, 'admin:security', async (em) => {
    const connector = await requireRecord(em, Connector, { connectorId }, 'connector');
    em.assign(connector, valuesFor(connector) as never);
    await audit(em, 'update', connector.connectorGuid, { fields: changed });
    return connector;
  });

const audit = (em: EntityManager, action: string, subjectId: string, detail?: object): Promise<void> =>
  writeAudit(runIn(em), [{ action, subjectType: 'Connector', subjectId, ...(detail && { detail }) }]);

/** A connector as it authenticates. It may change users and their profiles, except those of administrators. */
interface ConnectorState {
  connector_id: string;
  connector_guid: string;
  idpname: string;
  role_id: string;
  use_is_old: boolean;
}

const columns = `connector_id, connector_guid::text, idpname, role_id,
  coalesce(last_used_at < now() - interval '1 minute', true) as use_is_old`;
const byToken = `select ${columns} from connectors where not is_revoked
  and (token_hash = $1 or (previous_token_hash = $1 and previous_token_ends_at > now()))`;
const noteUse = `update connectors set last_used_at = now() where connector_id = (
  select connector_id from connectors where connector_id = $1 for no key update skip locked)`;

const byClient = `select ${columns} from connectors join clients client using (client_id)
  where not is_revoked and client.is_active and not client.dpop_required`;

/** The audience of connectors' access tokens; only SCIM accepts it. */
const scimAudience = ({ issuerUrl }: Pick<Dependencies, 'issuerUrl'>): string => `${issuerUrl}/scim/v2`;

/** Returns the connector that the token belongs to: its own token, or an access token that its client requested. */
export async function findConnector(dependencies: Dependencies, token: string): Promise<Caller | undefined> {
  const { sql } = dependencies;
  if (tokenForm.test(token)) return findCaller(sql, byToken, [hashOf(token)]);
  const verdict = await verify(dependencies, token, [scimAudience(dependencies)]);
  if ('invalid' in verdict) return undefined;
  const { sub, client_id: clientId } = verdict.claims;
  return findCaller(sql, `${byClient} and connector_guid = $1 and client_id = $2`, [sub, clientId]);
}

/** For the client of a connector that authenticates by an assertion: a token that is valid for an hour and only at /scim. */
export const connectorGrant: ClientGrant = {
  scopes: [],
  refusal: 'without a scope of events, only the client of a connector, by private_key_jwt, may use this grant',
  audienceOf: scimAudience,
  issue: issueConnectorToken,
};

async function issueConnectorToken(
  context: Context,
  credentials: Credentials,
): Promise<{ access_token: string; token_type: 'Bearer'; expires_in: number } | undefined> {
  await requireClient(context, credentials);
  if (credentials.assertion === undefined) return undefined;
  const { clientId } = credentials;
  const [connector] = await context.sql.rows<ConnectorState>(
    `${byClient} and client_id = $1 order by connector_id limit 1`,
    [searchableClientId(credentials)],
  );
  if (!connector) return undefined;
  const holding = {
    userGuid: connector.connector_guid,
    // names no profile
    profileId: 'connector',
    roleId: connector.role_id,
    scopes: [],
    audiences: [scimAudience(context)],
  };
  const further = { client_id: clientId, jti: randomUUID() };
  const access_token = issueAccessToken(context, context.keys.ring(), holding, new Date(), further);
  return { access_token, token_type: 'Bearer', expires_in: accessTokenSeconds };
}

async function findCaller(sql: Dependencies['sql'], statement: string, values: unknown[]): Promise<Caller | undefined> {
  const [state] = await sql.rows<ConnectorState>(statement, values).catch(throwReadFailure);
  if (!state) return undefined;
  const { connector_id: connectorId, connector_guid: sub, idpname, role_id: roleId } = state;
  if (state.use_is_old) await sql.rows(noteUse, [connectorId]);
  return { kind: 'connector', sub, connector: { connectorId, idpname, roleId }, permissions: new Set(['admin:write']) };
}

/** Throws FORBIDDEN if the caller is not a connector. */
export function requireConnector({ caller }: Pick<Context, 'caller'>): ConnectorScope {
  if (caller.kind !== 'connector') throw forbidden('of a connector');
  return caller.connector;
}
