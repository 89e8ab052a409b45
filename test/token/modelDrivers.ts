/** Two ways to do the model's operations at the same time: statement by statement in a chosen order, and over HTTP as it comes. */

import type { Context } from '../../src/context.js';
import { toGatehouseError } from '../../src/errors.js';
import type { IssuedTokens } from '../../src/services/tokens/claims.js';
import { requireClient } from '../../src/services/tokens/client.js';
import { exchange } from '../../src/services/tokens/exchange.js';
import type { RenewalRequest } from '../../src/services/tokens/refusedRenewal.js';
import { renew } from '../../src/services/tokens/renew.js';
import { revoke } from '../../src/services/tokens/revoke.js';
import { TokenRefusal } from '../../src/services/tokens/tokenRefusal.js';
import type { Sql } from '../../src/sql.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';
import { inTurns, type Turn } from '../support/turns.js';
import type { Operation, Seen } from './modelOracle.js';
import { change, readIssued, type World } from './modelWorld.js';

export type Driver = (world: World, operations: readonly Operation[]) => Promise<Seen[]>;

const isChange = ({ kind }: Operation): boolean => !['exchange', 'renew', 'revoke'].includes(kind);
const issued = (tokens: IssuedTokens): Seen => readIssued(tokens.access_token, tokens.refresh_token);

/** By the services, in turns. */
export const byTurns =
  (nextTurn: () => Turn): Driver =>
  (world, operations) =>
    inTurns(
      world.context.sql,
      operations.map((operation) => ({
        mayBreak: !isChange(operation),
        run: (sql: Sql) => serve(world, operation, { ...world.context, sql }),
      })),
      nextTurn,
    );

async function serve(world: World, operation: Operation, context: Context): Promise<Seen> {
  try {
    switch (operation.kind) {
      case 'exchange':
        return issued(await exchange(context, { ...asked(world, operation), idToken: world.idToken() }));
      case 'renew':
        return issued(await renew(context, renewalOf(world, operation)));
      case 'revoke': {
        const { clientId, clientSecret } = asked(world, operation);
        const ask = (isAuthenticated: boolean) => revoke(context, operation.held.token, { clientId, isAuthenticated });
        const authenticate = () => requireClient(context, { clientId, clientSecret });
        const isHardened = context.config.tokenPolicy === 'hardened';
        if (isHardened) await authenticate();
        let revoked = await ask(isHardened);
        if (revoked === 'clientWanted') {
          await authenticate();
          revoked = await ask(true);
        }
        return { kind: 'revoked', wasFound: revoked === 'revoked' };
      }
      default:
        await change(world, context.sql, operation);
        return { kind: 'done' };
    }
  } catch (error) {
    if (error instanceof TokenRefusal) return { kind: 'refused', reason: error.reason };
    if (toGatehouseError(error).status === 503) return { kind: 'unavailable' };
    throw error;
  }
}

function renewalOf(world: World, operation: Extract<Operation, { kind: 'renew' }>): RenewalRequest {
  const request = asked(world, operation);
  return { ...request, refreshToken: operation.held.token, idempotencyKey: keyOf(operation.key) };
}

const keyOf = (key: number | null): string | undefined => (key === null ? undefined : `idempotency-key-${key}`);

function asked(world: World, operation: Extract<Operation, { client: number; secret: number }>) {
  const isOtherProfile = operation.kind === 'renew' && operation.isOtherProfile;
  return {
    clientId: world.clientIds[operation.client]!,
    clientSecret: world.secrets[operation.secret]!.clear,
    profileId: isOtherProfile ? world.otherProfileId : world.profileId,
    dialect: 'documented' as const,
  };
}

/** Over HTTP, all at once. */
export const overHttp: Driver = (world, operations) =>
  Promise.all(operations.map((operation) => ask(world, operation)));

async function ask(world: World, operation: Operation): Promise<Seen> {
  if (operation.kind !== 'exchange' && operation.kind !== 'renew' && operation.kind !== 'revoke') {
    await change(world, world.context.sql, operation);
    return { kind: 'done' };
  }
  const { clientId, clientSecret, profileId } = asked(world, operation);
  const client = { client_id: clientId, client_secret: clientSecret };
  if (operation.kind === 'revoke') return readRevocation(world, { ...client, token: operation.held.token });
  const grant = operation.kind === 'exchange' ? exchangeBody(world.idToken()) : renewalBody(operation.held.token);
  const key = operation.kind === 'renew' ? keyOf(operation.key) : undefined;
  const headers = key === undefined ? undefined : { 'idempotency-key': key };
  const { status, text, json } = await world.app.post('/token', { ...client, ...grant, profileId }, headers);
  if (status === 200) return issued(json);
  const reason = refusals[`${status} ${text}`];
  if (!reason) throw new Error(`an answer that nobody specified: ${status} ${text}`);
  return { kind: 'refused', reason };
}

/** Answers of /token, to the letter. */
const refusals: Record<string, string> = {
  '401 {"error":"Invalid client credentials"}': 'invalidClient',
  '401 ': 'invalidRenewalToken',
  '400 Invalid profile': 'invalidProfile',
};

async function readRevocation(world: World, body: object): Promise<Seen> {
  const { status, text } = await world.app.post('/revoke', body);
  const answers: Record<string, Seen> = {
    '200 {"status":"success"}': { kind: 'revoked', wasFound: true },
    '404 {"status":"token_not_found_or_already_revoked"}': { kind: 'revoked', wasFound: false },
    '401 {"error":"Invalid client credentials"}': { kind: 'refused', reason: 'invalidClient' },
  };
  const seen = answers[`${status} ${text}`];
  if (!seen) throw new Error(`an answer that nobody specified: ${status} ${text}`);
  return seen;
}
