/** SSF_RATE_LIMIT: what a receiver asks of its streams is limited per minute, and its polls are not. */

import { readAnswer } from '../../support/app.js';
import { newClient } from '../../support/records.js';
import { startEventApp } from './eventApp.js';

it.each([
  'memory',
  'database',
])('over the limit, counted in the %s, a receiver waits; it polls as before, and others go on', async (store) => {
  const { app } = await startEventApp({ SSF_RATE_LIMIT: '5', LIMITER_STORE: store });
  const openReceiver = async () => {
    const { clientId, clientSecret } = await newClient(app.context, 'client-secret', { may_receive_events: true });
    const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    return async (method: string, path: string, body?: object) =>
      readAnswer(
        await fetch(app.url + path, {
          method,
          headers: { authorization, 'content-type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
        }),
      );
  };
  const [busy, calm] = [await openReceiver(), await openReceiver()];
  const { stream_id } = (await busy('POST', '/ssf/streams', {})).json;
  const statuses: number[] = [];
  for (const description of 'abcdefgh')
    statuses.push((await busy('PATCH', '/ssf/streams', { stream_id, description })).status);
  expect(statuses).toEqual([200, 200, 200, 200, 429, 429, 429, 429]);
  const over = await busy('GET', '/ssf/streams');
  expect([over.status, over.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  const sets = await app.context.sql.rows("select from change_sets where note like 'by the client%'");
  expect(sets).toHaveLength(5);
  for (let count = 0; count < 10; count++)
    expect((await busy('POST', `/ssf/poll/${stream_id}`, { returnImmediately: true })).status).toBe(200);
  expect((await calm('POST', '/ssf/streams', {})).status).toBe(201);
});
