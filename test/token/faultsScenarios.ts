/** The token engine's requests, each with fresh data, for tests that break them at every statement. */
import { randomUUID } from 'node:crypto';
import bcrypt from 'bcrypt';
import type { Context } from '../../src/context.js';
import { type Answer, readAnswer, type TestApp } from '../support/app.js';
import { importedToken, insert, newClient, newHolder } from '../support/records.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';

export interface Attempt {
  ask(): Promise<Answer>;
  /** What is stored of the user's tokens. */
  stored(): Promise<StoredToken[]>;
}

export interface StoredToken {
  token: Buffer;
  generation: number;
  is_revoked: boolean;
}

export interface Scenario {
  name: string;
  /** Status of the good answer, and of the answer to the same request once more. */
  good: number;
  again: number;
  /** The statement that writes what the answer tells; none: nothing is written. */
  effect?: RegExp;
  prepare(): Promise<Attempt>;
}

const writes = /insert into tokens|update tokens/;
const form = 'application/x-www-form-urlencoded';

/** @param direct the same service's context past the connection that is broken */
export function scenariosOf(app: TestApp, direct: Context): Scenario[] {
  const isHardened = app.context.config.tokenPolicy === 'hardened';
  type Client = { clientId: string; clientSecret: string };
  const inBody = ({ clientId, clientSecret }: Client) => ({ client_id: clientId, client_secret: clientSecret });

  /** A client that this process never saw, whose hash will be made anew. */
  const firstSeen = async (): Promise<Client> =>
    newClient(direct, 'secret', { client_secret: await bcrypt.hash('secret', 5) });
  const remembered = async (): Promise<Client> => {
    const client = await newClient(direct, 'secret', { secret_last_used_at: new Date() });
    const [row] = await direct.sql.rows<{ client_secret: string }>(
      'select client_secret from clients where client_id = $1',
      [client.clientId],
    );
    await app.context.secrets.check(client.clientId, client.clientSecret, row!.client_secret);
    return client;
  };
  const storedOf = (userGuid: string) => () =>
    direct.sql.rows<StoredToken>('select token, generation, is_revoked from tokens where user_id = $1 order by id', [
      userGuid,
    ]);
  const send = (path: string, body: object): Promise<Answer> => app.post(path, body);
  const sendForm = async (path: string, body: Record<string, string>, client: Client): Promise<Answer> => {
    const basic = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64');
    const headers = { 'content-type': form, authorization: `Basic ${basic}` };
    return readAnswer(
      await fetch(app.url + path, { method: 'POST', headers, body: new URLSearchParams(body).toString() }),
    );
  };

  /** A user with tokens of the client, and what may be asked of them. */
  async function holding(client: Client) {
    const { userGuid, profileId } = await newHolder(direct);
    const idToken = app.idToken({ sub: userGuid });
    const exchange = { ...exchangeBody(idToken), profileId, ...inBody(client) };
    const renewal = (refresh_token: string) => ({
      ...renewalBody(refresh_token),
      profileId,
      ...inBody(client),
    });
    return { userGuid, profileId, idToken, exchange, renewal, stored: storedOf(userGuid) };
  }
  /** The tokens come from another client where this one must stay unseen. */
  async function issued(client: Client) {
    const held = await holding(client);
    const { json } = await send('/token', { ...held.exchange, ...inBody(await remembered()) });
    await direct.sql.rows('update tokens set client_id = null where user_id = $1', [held.userGuid]);
    return { ...held, tokens: json as { access_token: string; refresh_token: string } };
  }
  const of = (name: string, good: number, again: number, prepare: Scenario['prepare'], effect?: RegExp): Scenario => ({
    name,
    good,
    again,
    prepare,
    ...(effect && { effect }),
  });
  const exchangeBy = (client: () => Promise<Client>) => async (): Promise<Attempt> => {
    const { exchange, stored } = await holding(await client());
    return { ask: () => send('/token', exchange), stored };
  };
  // of the hardened policy, one request of a client first seen is enough
  const anyClient = isHardened ? remembered : firstSeen;
  const renewalBy = (client: () => Promise<Client>) => async (): Promise<Attempt> => {
    const { renewal, stored, tokens } = await issued(await client());
    return { ask: () => send('/token', renewal(tokens.refresh_token)), stored };
  };

  // an ID token that was exchanged has been used, whether the answer came or not
  const exchangedAgain = isHardened ? 401 : 200;
  return [
    of('an exchange of a client first seen', 200, exchangedAgain, exchangeBy(firstSeen), writes),
    of('an exchange', 200, exchangedAgain, exchangeBy(remembered), writes),
    of('a renewal of a client first seen', 200, 401, renewalBy(firstSeen), writes),
    of('a renewal', 200, 401, renewalBy(remembered), writes),
    of(
      'a renewal of an imported token',
      200,
      401,
      async () => {
        const { userGuid, profileId, renewal, stored } = await holding(await remembered());
        const token = `opaque ${randomUUID()}`;
        await insert(direct.sql, 'tokens', {
          user_id: userGuid,
          profile_id: profileId,
          ...importedToken(token),
          created_at: new Date(),
          expires_at: new Date(Date.now() + 60_000),
        });
        return { ask: () => send('/token', renewal(token)), stored };
      },
      writes,
    ),
    of(
      'a used token that comes again',
      401,
      401,
      async () => {
        const { renewal, stored, tokens } = await issued(await remembered());
        await send('/token', renewal(tokens.refresh_token));
        return { ask: () => send('/token', renewal(tokens.refresh_token)), stored };
      },
      isHardened ? /revoked_by = 'reuse'/ : undefined,
    ),
    of(
      'a revocation',
      200,
      404,
      async () => {
        const client = await anyClient();
        const { stored, tokens } = await issued(client);
        return { ask: () => send('/revoke', { token: tokens.refresh_token, ...inBody(client) }), stored };
      },
      writes,
    ),
    of('a validation', 200, 200, async () => {
      const client = await anyClient();
      const { stored, tokens } = await issued(client);
      return { ask: () => send('/validate-token', { token: tokens.access_token, ...inBody(client) }), stored };
    }),
    of('a wrong secret', 401, 401, async () => {
      const client = await anyClient();
      const { exchange, stored } = await holding(client);
      return { ask: () => send('/token', { ...exchange, client_secret: 'wrong' }), stored };
    }),
    of(
      'an exchange by RFC 8693',
      200,
      200,
      async () => {
        const client = await anyClient();
        const { idToken, profileId, stored } = await holding(client);
        const body = {
          grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
          subject_token: idToken,
          subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
          profileId,
        };
        return { ask: () => sendForm('/token', body, client), stored };
      },
      writes,
    ),
    of(
      'a revocation by RFC 7009',
      200,
      200,
      async () => {
        const client = await remembered();
        const { stored, tokens } = await issued(client);
        return { ask: () => sendForm('/revoke', { token: tokens.refresh_token }, client), stored };
      },
      writes,
    ),
    of('an introspection', 200, 200, async () => {
      const client = await anyClient();
      const { stored, tokens } = await issued(client);
      return { ask: () => sendForm('/introspect', { token: tokens.refresh_token }, client), stored };
    }),
  ];
}
