/** The token endpoints of the OAuth dialect, a client and somebody with a profile for them. */
import { request } from 'node:http';
import { type Answer, readAnswer, startTestApp, type TestApp } from './app.js';
import { newClient, newHolder } from './records.js';

export let app: TestApp;
export let client: { clientId: string; clientSecret: string };
export let holder: { userGuid: string; userId: number; profileId: string };

/** To be called in beforeAll. */
export async function startFormApp(): Promise<void> {
  app = await startTestApp();
  client = await newClient(app.context, 'sec ret+%:ü');
  holder = await newHolder(app.context);
}

export const basic = ({ clientId, clientSecret } = client): string =>
  `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64')}`;
export async function send(
  path: string,
  parameters: [string, string][] | Record<string, string>,
  headers: Record<string, string> = { authorization: basic() },
): Promise<Answer> {
  const response = await fetch(app.url + path, { method: 'POST', headers, body: new URLSearchParams(parameters) });
  return readAnswer(response);
}
/** As `fetch` never would: a header twice. */
export function sendRaw(
  path: string,
  headers: object,
  content: string,
  type = 'application/x-www-form-urlencoded',
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      app.url + path,
      {
        method: 'POST',
        agent: false,
        headers: { ...headers, 'content-type': type, 'content-length': content.length },
      },
      async (response) => {
        let text = '';
        for await (const chunk of response) text += chunk;
        resolve({ status: response.statusCode!, text });
      },
    );
    sent.once('error', reject).end(content);
  });
}
export const exchangeGrant = { grant_type: 'urn:service:authz:exchange' };
export const exchangeParameters = () => ({
  ...exchangeGrant,
  id_token: app.idToken({ sub: holder.userGuid }),
  profileId: holder.profileId,
});
export const tokenExchange = (more: Record<string, string> = {}) => ({
  grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
  subject_token: app.idToken({ sub: holder.userGuid }),
  subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
  profileId: holder.profileId,
  ...more,
});
export const issued = async (): Promise<{ access_token: string; refresh_token: string }> =>
  (await send('/token', exchangeParameters())).json;
export const expectError = (answer: Answer, status: number, error: string): void => {
  expect([answer.status, answer.json?.error]).toEqual([status, error]);
  expect(answer.headers.get('cache-control')).toBe('no-store');
};
