/** Creates and changes clients, and rotates their secrets. */
import { findJwksProblem } from '../../auth/clientKeySet.js';
import { generateSecret } from '../../auth/clientSecret.js';
import { hasCredentials, isLocalHost } from '../../config/parsers.js';
import type { Context, EntityManager } from '../../context.js';
import { Client } from '../../entities/Client.js';
import { describe, fieldOf } from '../../entities/description.js';
import { badInput, conflict, notFound, type Problems } from '../../errors.js';
import { permit, requireFreshSignIn } from '../permit.js';
import { change, requireRecord, runIn, type Update, writeAudit } from '../records/change.js';
import { type InputField, inputFields, readFieldValue, requireInput } from '../records/input.js';
import { allAudiences } from '../tokens/claims.js';
import { endOfPrevious } from './previousSecret.js';

/** Returns why a client may not have these keys, and the field; undefined when it may. */
export function findKeysProblem(
  keys: Partial<Record<'jwks' | 'jwksUri', unknown>>,
): { field: 'jwks' | 'jwksUri'; problem: string } | undefined {
  const { jwks, jwksUri } = keys;
  if (typeof jwks === 'string' && typeof jwksUri === 'string')
    return { field: 'jwksUri', problem: 'cannot be combined with jwks' };
  const jwksProblem = typeof jwks === 'string' ? findJwksProblem(jwks) : undefined;
  if (jwksProblem) return { field: 'jwks', problem: jwksProblem };
  const addressProblem = typeof jwksUri === 'string' ? findAddressProblem(jwksUri) : undefined;
  return addressProblem ? { field: 'jwksUri', problem: addressProblem } : undefined;
}

function findAddressProblem(address: string): string | undefined {
  const url = URL.parse(address);
  const isFit = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocalHost(url.hostname));
  return isFit && !hasCredentials(url) && url.hash === '' ? undefined : 'must be an https address without fragment';
}

/** Why the text of a field is not allowed for a client, by the field. @param audiences that tokens may have */
export const clientTextRules: Record<
  'allowedAudiences' | 'policy',
  (text: string, audiences: readonly string[]) => string | undefined
> = {
  policy: (text) => (text === 'hardened' ? undefined : 'must be hardened, or null for the policy of the service'),
  allowedAudiences(text, audiences) {
    const names = text.split(' ');
    const isFit = names.every((name) => audiences.includes(name)) && new Set(names).size === names.length;
    return isFit
      ? undefined
      : `must be among ${audiences.join(', ')}, each once, with single spaces between: tokens have no others (AUDIENCES)`;
  },
};

interface ClientInput {
  clientId: string;
  name: string;
  description?: string | null;
  /** Default: true. */
  isActive?: boolean;
  /** Separated by spaces; null: all. */
  allowedAudiences?: string | null;
  /** A JSON Web Key Set as text; excludes jwksUri. */
  jwks?: string | null;
  jwksUri?: string | null;
  dpopRequired?: boolean;
  mayEvaluate?: boolean;
  mayReceiveEvents?: boolean;
  /** `hardened`; null: the service's. */
  policy?: string | null;
}

interface ClientWithSecret {
  client: Client;
  /** The secret in clear text, returned only once: only its hash is stored. */
  clientSecret: string;
}

const clientFields = inputFields(Client, { mode: 'create' });

/** Throws BAD_USER_INPUT by input path, CONFLICT when there is such a client, REAUTHENTICATE. */
export async function createClient(context: Context, input: ClientInput): Promise<ClientWithSecret> {
  permit(context, 'admin:security');
  requireFreshSignIn(context);
  const values = requireInput(clientFields, input) as unknown as ClientInput;
  requireRules(context, values);
  requireKeyRules(values);
  const { clientId } = values;
  const { clientSecret, hash } = await makeSecret(context);
  const client = await change(context, 'admin:security', async (em) => {
    if (await em.findOne(Client, { clientId })) throw conflict('A client with this id exists already.');
    await writeAudit(runIn(em), [{ action: 'create', subjectType: 'Client', subjectId: clientId }]);
    return em.create(Client, { description: null, isActive: true, ...values, clientSecret: hash }, { partial: true });
  });
  return { client, clientSecret };
}

/** The fields of an update's input. */
export const clientUpdateInput = (): InputField[] =>
  inputFields(Client, { mode: 'update' }).filter(({ name }) => name !== 'isActive');

/** Throws BAD_USER_INPUT, NOT_FOUND, CONFLICT, REAUTHENTICATE for other keys. */
export const updateClient: Update<Client> = async (context, clientId, input, ifRevision) => {
  permit(context, 'admin:security');
  const values = requireInput(clientUpdateInput(), input);
  requireRules(context, values);
  return changeClient(context, clientId, ifRevision, (client) => {
    // the holder of the private key can act as the client, as with a new secret
    if (hasOtherKeys(client, values)) requireFreshSignIn(context);
    requireKeyRules({ ...client, ...values });
    return values;
  });
};

const hasOtherKeys = (client: Client, input: Partial<ClientInput>): boolean =>
  (['jwks', 'jwksUri'] as const).some((name) => input[name] != null && input[name] !== client[name]);

/** Throws BAD_USER_INPUT. */
function requireRules({ config }: Context, input: Partial<ClientInput>): void {
  const problems: Problems = {};
  const audiences = allAudiences(config);
  for (const [name, findProblem] of Object.entries(clientTextRules)) {
    const text = input[name as keyof typeof clientTextRules];
    const problem = text == null ? undefined : findProblem(text, audiences);
    if (problem) problems[name] = [`The ${name} field ${problem}.`];
  }
  if (Object.keys(problems).length > 0) throw badInput(problems);
}

/** Throws BAD_USER_INPUT. */
function requireKeyRules(keys: Pick<ClientInput, 'jwks' | 'jwksUri'>): void {
  const problem = findKeysProblem(keys);
  if (problem) throw badInput({ [problem.field]: [`The ${problem.field} field ${problem.problem}.`] });
}

/**
 * The new secret works at once; the previous one keeps working for `keepPreviousHours` (0 to 8,760). Throws NOT_FOUND,
 * BAD_USER_INPUT, REAUTHENTICATE, and CONFLICT when the client was changed at the same time.
 */
export async function rotateClientSecret(
  context: Context,
  clientId: string,
  keepPreviousHours = 0,
  ifRevision?: number | null,
): Promise<ClientWithSecret> {
  permit(context, 'admin:security');
  requireFreshSignIn(context);
  const endsAt = endOfPrevious(context, keepPreviousHours);
  const { clientSecret, hash } = await makeSecret(context);
  const client = await changeClient(context, clientId, ifRevision, (before) => ({
    previousSecret: endsAt && before.clientSecret,
    previousSecretEndsAt: endsAt,
    previousSecretLastUsedAt: endsAt && before.secretLastUsedAt,
    clientSecret: hash,
    importedSecret: null,
    secretLastUsedAt: null,
  }));
  return { client, clientSecret };
}

/** Invalidates the previous secret now; the current one keeps working. Throws NOT_FOUND, CONFLICT. */
export const endPreviousSecret = (context: Context, clientId: string, ifRevision?: number | null): Promise<Client> =>
  changeClient(context, clientId, ifRevision, () => ({
    previousSecret: null,
    previousSecretEndsAt: null,
    previousSecretLastUsedAt: null,
  }));

/** Activates or deactivates a client. An inactive client is refused from its next request on. Throws NOT_FOUND, CONFLICT. */
export const setClientActive = (
  context: Context,
  clientId: string,
  isActive: boolean,
  ifRevision?: number | null,
): Promise<Client> => changeClient(context, clientId, ifRevision, () => ({ isActive }));

/** Writes the audit event itself, because clients have no history from which triggers write it. */
const changeClient = (
  context: Context,
  clientId: string,
  ifRevision: number | null | undefined,
  valuesFor: (client: Client) => Partial<Client>,
): Promise<Client> =>
  change(context, 'admin:security', async (em) => {
    const client = await requireClientRecord(em, clientId, ifRevision);
    const before = { ...client };
    em.assign(client, valuesFor(client) as never);
    const fields = describe(Client)
      .fields.map(({ name }) => name as keyof Client)
      .filter((name) => client[name]?.valueOf() !== before[name]?.valueOf());
    const event = { action: 'update', subjectType: 'Client', subjectId: clientId, detail: { fields } };
    if (fields.length > 0) await writeAudit(runIn(em), [event]);
    return client;
  });

async function makeSecret({ secrets }: Context): Promise<{ clientSecret: string; hash: string }> {
  const clientSecret = generateSecret();
  return { clientSecret, hash: await secrets.hash(clientSecret) };
}

async function requireClientRecord(em: EntityManager, clientId: string, ifRevision?: number | null): Promise<Client> {
  if ('problem' in readFieldValue(fieldOf(Client, 'clientId'), clientId)) throw notFound('The client');
  return requireRecord(em, Client, { clientId }, 'client', ifRevision);
}
