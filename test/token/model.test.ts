/**
 * Token families in any order and at the same time, against a model: whatever was answered and stored, some order of the
 * operations explains it. GATEHOUSE_SCHEDULES plays more, GATEHOUSE_SEED the same again.
 */
import fc from 'fast-check';
import { startTestApp, type TestApp } from '../support/app.js';
import { factor, seed } from '../support/schedules.js';
import type { Turn } from '../support/turns.js';
import { byTurns, overHttp } from './modelDrivers.js';
import { play, schedules } from './modelSchedule.js';
import { makeSecrets, makeWorld, type Secret } from './modelWorld.js';

const parameters = (numRuns: number) => ({ numRuns: numRuns * factor, seed });

let secrets: Secret[];
beforeAll(async () => {
  secrets = await makeSecrets(30);
});

describe.each([
  ['documented', null],
  ['hardened', null],
  ['documented', 'hardened'],
  ['rehearsal', 'hardened'],
])(`under the %s policy, one client's %s, GATEHOUSE_SEED=${seed}`, (policy, ofClient) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ TOKEN_POLICY: policy, LOG_LEVEL: 'silent' });
  });
  afterAll(() => app.close());

  it('all answers and records, statement by statement and with broken connections, can be explained by some order of the operations', async () => {
    const property = fc.asyncProperty(schedules(4), async (schedule) => {
      let number = 0;
      const none: Turn = { who: 0 };
      const nextTurn = (): Turn => schedule.turns[number++] ?? none;
      const { world, state } = await makeWorld(app, secrets, schedule.isOtherCost, ofClient);
      await play(world, state, schedule, byTurns(nextTurn));
    });
    await fc.assert(property, parameters(15));
  });

  it('over HTTP and at the same moment, every answer is of the letter and is true', async () => {
    const property = fc.asyncProperty(schedules(5), async (schedule) => {
      const { world, state } = await makeWorld(app, secrets, schedule.isOtherCost, ofClient);
      await play(world, state, schedule, overHttp);
    });
    await fc.assert(property, parameters(8));
  });
});
