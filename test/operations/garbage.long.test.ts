/**
 * What a request made is freed young. What outlives two collections of young garbage makes each of them longer and then
 * waits for a full one, and that shows in the slowest answers. Counted in bytes, by V8's own trace.
 */
import { audience, post, startTestApp, type TestApp } from '../support/app.js';
import { type Consumer, newConsumer } from './consumer.js';
import { type ServiceProcess, startProcess } from './process.js';

const consumersAtOnce = 4;
const warmUps = 100;
const requestsOfEach = 500;
const roundsMax = 3;
/** Of a request, with what is remembered of it on purpose. In all it makes about 60,000. */
const outlivingBytesMax = 1_000;

let app: TestApp;
let service: ServiceProcess;
let consumers: Consumer[];
beforeAll(async () => {
  app = await startTestApp();
  const { issuer } = app.provider;
  const settings = {
    DATABASE_URL: app.database.url,
    ID_TOKEN_ISSUERS: JSON.stringify([{ issuer, audience, idpname: 'guids', subject: 'userGuid' }]),
  };
  service = await startProcess(settings, ['--trace-gc-nvp', '--min-semi-space-size=16', '--max-semi-space-size=16']);
  const there: TestApp = { ...app, post: (path, body, headers) => post(`${service.url}${path}`, body, headers) };
  consumers = await Promise.all(Array.from({ length: consumersAtOnce }, () => newConsumer(there)));
});

/** Each consumer asks one time after the other. */
async function askAll(times: number, ask: (consumer: Consumer) => Promise<void>): Promise<void> {
  await Promise.all(
    consumers.map(async (consumer) => {
      for (let time = 0; time < times; time++) await ask(consumer);
    }),
  );
}

async function exchange(consumer: Consumer): Promise<string> {
  const { status, json } = await consumer.exchange();
  expect(status).toBe(200);
  return json.refresh_token;
}

const tokens = new Map<Consumer, string>();
async function renew(consumer: Consumer): Promise<void> {
  const { status, json } = await consumer.renew(tokens.get(consumer) ?? (await exchange(consumer)));
  expect(status).toBe(200);
  tokens.set(consumer, json.refresh_token);
}

/** Bytes of a request that outlived two collections, in a round of them. */
async function outlivingBytes(ask: (consumer: Consumer) => Promise<void>): Promise<number> {
  const before = service.printed().length;
  await askAll(requestsOfEach, ask);
  const collections =
    service
      .printed()
      .slice(before)
      .match(/ gc=s .*/g) ?? [];
  expect(collections.length).toBeGreaterThan(1);
  const bytes = collections.map((line) => Number(/ promoted=(\d+)/.exec(line)![1]));
  return bytes.reduce((sum, each) => sum + each, 0) / (requestsOfEach * consumersAtOnce);
}

it.each([
  ['an exchange', async (consumer: Consumer) => void (await exchange(consumer))],
  ['a renewal', renew],
])('next to nothing of %s outlives the collections of young garbage', async (_name, ask) => {
  await askAll(warmUps, ask);
  // what the process does besides only adds to a round, and on a busy machine it does more of that in each
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < roundsMax && least >= outlivingBytesMax; round++)
    least = Math.min(least, await outlivingBytes(ask));
  expect(least).toBeLessThan(outlivingBytesMax);
});
