/** Sign-ins and refusals by the hour: exactly what was answered, over processes and restarts. */
import { hoursKept, openSignInHours } from '../../../src/modules/insight/signInHours.js';
import { startApp } from '../../../src/startApp.js';
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';
import { post } from '../../support/app.js';
import { newClient, newHolder } from '../../support/records.js';
import { exchangeBody, renewalBody } from '../../support/tokens.js';
import { until } from '../../support/until.js';

let graph: TestGraph;
beforeEach(async () => {
  graph = await startTestGraph({ USAGE_RETENTION_DAYS: '30' });
});
afterEach(() => graph?.close());

const query = 'query ($hours: Int! = 48) { overview { signInHours(hours: $hours) { hour signIns refusals } } }';
interface Hour {
  hour: string;
  signIns: number;
  refusals: number;
}
const read = async (hours?: number): Promise<Hour[]> =>
  (await graph.data(query, hours === undefined ? {} : { hours })).overview.signInHours;
const sumOf = (hours: readonly Hour[]) => ({
  signIns: hours.reduce((sum, { signIns }) => sum + signIns, 0),
  refusals: hours.reduce((sum, { refusals }) => sum + refusals, 0),
});

it('exchanges are sign-ins, refused token requests are refusals, and renewals are neither; two processes count together', async () => {
  const { app } = graph;
  const { context } = app;
  const { clientId: client_id, clientSecret: client_secret } = await newClient(context);
  const { profileId, userGuid } = await newHolder(context);
  const second = await startApp({ config: { ...context.config, port: 0 }, notice: () => undefined, log: context.log });
  try {
    const ask = (url: string, more: object = {}) => {
      const body = { ...exchangeBody(app.idToken({ sub: userGuid })), profileId, client_id, client_secret };
      return post(`${url}/token`, { ...body, ...more });
    };
    const { refresh_token } = (await ask(app.url)).json;
    await ask(second.url);
    await ask(second.url);
    await ask(app.url, renewalBody(refresh_token));
    await ask(app.url, { client_secret: 'wrong' });
    await ask(second.url, { profileId: 'nobody-holds-it' });
    await ask(second.url, renewalBody('not a token'));
    await post(`${app.url}/nowhere`, {});
    await fetch(`${app.url}/token`);
    const expected = { signIns: 3, refusals: 3 };
    const hours = await until(async () => {
      const found = await read();
      const { signIns, refusals } = sumOf(found);
      return signIns + refusals >= 6 && found;
    });
    expect(sumOf(hours)).toEqual(expected);
  } finally {
    await second.close();
  }
});

it('the hours are the last ones without a gap, from the first that was counted, and old ones are removed', async () => {
  const { sql, clock, log } = graph.app.context;
  const present = Math.floor(clock.now().getTime() / 3_600_000);
  const countAt = async (hour: number, kind: 'signIns' | 'refusals') => {
    const recorder = openSignInHours({ sql, log, clock: { now: () => new Date(hour * 3_600_000 + 1_000) } });
    recorder.note(kind);
    recorder.note(kind);
    await recorder.close();
  };
  expect(await read()).toMatchObject([{ signIns: 0, refusals: 0 }]);
  await countAt(present - 5, 'signIns');
  await countAt(present - 2, 'refusals');
  const few = await read();
  expect(few.map(({ hour }) => Date.parse(hour) / 3_600_000)).toEqual([5, 4, 3, 2, 1, 0].map((ago) => present - ago));
  expect(few.map(({ signIns, refusals }) => [signIns, refusals])).toEqual([
    [2, 0],
    [0, 0],
    [0, 0],
    [0, 2],
    [0, 0],
    [0, 0],
  ]);
  await countAt(present - 100, 'signIns');
  expect(await read()).toHaveLength(48);
  expect(await read(hoursKept)).toHaveLength(101);
  await sql.rows('update sign_in_hours set hour = hour - $1::int', [hoursKept]);
  await countAt(present, 'signIns');
  expect(await sql.rows('select from sign_in_hours')).toHaveLength(1);
});

it('they are read with admin:security, and their number is bounded', async () => {
  const { data, errors } = (await graph.ask(query, {}, graph.token(['admin:read', 'admin:write']))).json;
  expect([data.overview.signInHours, errors[0].extensions.code]).toEqual([null, 'FORBIDDEN']);
  for (const hours of [0, -1, hoursKept + 1]) {
    const { json } = await graph.ask(query, { hours });
    expect(json.errors[0].extensions.code).toBe('BAD_USER_INPUT');
  }
});
