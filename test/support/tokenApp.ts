/** POST /token of the documented dialect, and a client for it. */
import { renewalTokenHash } from '../../src/auth/tokenFormat.js';
import { type Answer, startTestApp, type TestApp } from './app.js';
import { newClient, newHolder } from './records.js';
import { exchangeBody, renewalBody } from './tokens.js';

export let app: TestApp;
let client: { clientId: string; clientSecret: string };

/** To be called in beforeAll. */
export async function startTokenApp(): Promise<void> {
  app = await startTestApp();
  client = await newClient(app.context);
}

const credentials = () => ({ client_id: client.clientId, client_secret: client.clientSecret });
export const exchangeOf = (profileId: string, idToken: unknown) => ({
  ...exchangeBody(idToken),
  profileId,
  ...credentials(),
});
export const exchange = (profileId: string, idToken: unknown): Promise<Answer> =>
  app.post('/token', exchangeOf(profileId, idToken));
export const renew = (refreshToken: unknown, more: object = {}): Promise<Answer> =>
  app.post('/token', {
    ...renewalBody(refreshToken),
    profileId: 'any',
    ...credentials(),
    ...more,
  });
export const recordOf = async (token: string) => {
  const [row] = await app.context.sql.rows<Record<string, unknown>>('select * from tokens where token = $1', [
    renewalTokenHash(token),
  ]);
  return row;
};
export async function issued(): Promise<{ answer: Answer; userGuid: string; userId: number; profileId: string }> {
  const holder = await newHolder(app.context);
  const answer = await exchange(holder.profileId, app.idToken({ sub: holder.userGuid }));
  expect(answer.status).toBe(200);
  return { answer, ...holder };
}
