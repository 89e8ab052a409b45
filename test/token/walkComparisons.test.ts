/**
 * An unknown client, an inactive one and a wrong secret cost the same: counted in comparisons of the configured cost, not
 * in time. Whatever else they do must be alike too.
 */

import { jest } from '@jest/globals';
import bcrypt from 'bcrypt';
import { Piscina } from 'piscina';
import { startTestApp, type TestApp } from '../support/app.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';

let app: TestApp;
let otherHash: string;
/** What goes to the threads that compare. */
let run: { mock: { calls: unknown[][] }; mockClear(): void; mockRestore(): void };
beforeAll(async () => {
  app = await startTestApp({ BCRYPT_COST: '6' });
  otherHash = await bcrypt.hash('previous', 6);
  run = jest.spyOn(Piscina.prototype, 'run') as never;
});
afterAll(async () => {
  run.mockRestore();
  await app.close();
});

interface Cost {
  answer: string;
  comparisons: number;
  /** Of the hashes compared with. */
  rounds: number[];
  statements: string[];
}

async function costOf(clientId: string, clientSecret: string, body: object): Promise<Cost> {
  run.mockClear();
  app.takeStatements();
  const answer = await app.post('/token', {
    profileId: 'p',
    client_id: clientId,
    client_secret: clientSecret,
    ...body,
  });
  const calls = run.mock.calls as [{ hash: string }, { name: string }][];
  const hashes = calls.filter(([, { name }]) => name === 'compare').map(([{ hash }]) => hash);
  return {
    answer: `${answer.status} ${answer.text} ${[...answer.headers.keys()].sort()}`,
    comparisons: hashes.length,
    rounds: hashes.map((hash) => bcrypt.getRounds(hash)),
    statements: app.takeStatements(),
  };
}

it.each([
  ['an exchange', { ...exchangeBody('x') }],
  ['a renewal', { ...renewalBody('x') }],
  ['an unknown grant', { grant_type: 'password' }],
])('%s: two comparisons, one statement and one answer, whatever is wrong with the client', async (_name, body) => {
  const known = await newClient(app.context, 'right');
  const inRotation = (endsAt: Date) =>
    newClient(app.context, 'right', { previous_secret: otherHash, previous_secret_ends_at: endsAt });
  const rotating = await inRotation(new Date(Date.now() + 60_000));
  const rotated = await inRotation(new Date(Date.now() - 60_000));
  const inactive = await newClient(app.context, 'right', { is_active: false });
  const first = await costOf(known.clientId, 'wrong', body);
  expect([first.comparisons, first.rounds, first.statements.length]).toEqual([2, [6, 6], 1]);
  const others = [
    await costOf('unknown', 'wrong', body),
    await costOf('unknown', 'right', body),
    await costOf('u'.repeat(101), 'wrong', body),
    await costOf('u\0', 'wrong', body),
    await costOf('u'.repeat(5_000), 'wrong', body),
    await costOf(inactive.clientId, 'right', body),
    await costOf(inactive.clientId, 'wrong', body),
    await costOf(rotating.clientId, 'wrong', body),
    await costOf(rotated.clientId, 'wrong', body),
    await costOf(rotated.clientId, 'previous', body),
    await costOf(known.clientId, 'w'.repeat(100), body),
    await costOf(known.clientId, 'right\0', body),
    await costOf(known.clientId, '\ud800', body),
  ];
  for (const other of others) expect(other).toEqual(first);
});

it('a client that was good and is inactive now costs what an unknown one costs', async () => {
  const body = { ...renewalBody('x') };
  const client = await newClient(app.context, 'right');
  expect((await costOf(client.clientId, 'right', body)).answer).toMatch(/^401 {2}/);
  await app.context.sql.rows('update clients set is_active = false where client_id = $1', [client.clientId]);
  const { comparisons, answer } = await costOf(client.clientId, 'right', body);
  expect(comparisons).toBe(2);
  expect(answer).toMatch(/^401 \{"error":"Invalid client credentials"\}/);
});

it.each([
  ['deactivated', 'update clients set is_active = false where client_id = $1', 'is_active = true'],
  [
    'rotated',
    `update clients set client_secret = reverse(client_secret) where client_id = $1`,
    'client_secret = reverse(client_secret)',
  ],
  [
    'rotated, and its previous secret over',
    `update clients set previous_secret = client_secret, previous_secret_ends_at = now(), client_secret = reverse(client_secret) where client_id = $1`,
    'client_secret = previous_secret',
  ],
])('a remembered client that was %s renews nothing at its very next request, and its token stays unused', async (_name, away, back) => {
  const client = await newClient(app.context, 'right');
  const { userGuid, profileId } = await newHolder(app.context);
  const credentials = { profileId, client_id: client.clientId, client_secret: 'right' };
  const exchange = {
    ...exchangeBody(app.idToken({ sub: userGuid })),
    ...credentials,
  };
  const { refresh_token } = (await app.post('/token', exchange)).json;
  const renew = () => app.post('/token', { ...renewalBody(refresh_token), ...credentials });
  await app.context.sql.rows(away, [client.clientId]);
  expect((await renew()).json).toEqual({ error: 'Invalid client credentials' });
  await app.context.sql.rows(`update clients set ${back} where client_id = $1`, [client.clientId]);
  expect((await renew()).status).toBe(200);
});
