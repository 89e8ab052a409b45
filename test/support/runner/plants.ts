/** What the two test files of runner.test.ts have: each looks for what the other one left in their process, and leaves the same. */
import { appendFileSync } from 'node:fs';
import { jest } from '@jest/globals';
import { Application } from '../../../src/entities/Application.js';
import { startTestApp } from '../app.js';
import { newApplication } from '../records.js';

const { PLANTED, HOME } = process.env;
const planted = Reflect.get(globalThis, 'planted');
/** Of a module of test/. */
let plantings = 0;

export function looksAndPlants(): void {
  it('finds nothing that another file left', async () => {
    expect([planted, PLANTED, HOME, plantings]).toEqual([undefined, undefined, process.env.WAS_HOME, 0]);
    expect([process.cwd(), fetch.name]).toEqual([process.env.WAS_FOLDER, 'fetch']);
    expect([jest.isMockFunction(Date.now), jest.isMockFunction(process.exit)]).toEqual([false, false]);
    // would not be called on a false clock
    await new Promise((resolve) => setTimeout(resolve, 1));
    const { running } = await startTestApp();
    expect(await running.dependencies.sql.rows('select 1 from applications')).toEqual([]);
  });

  it('leaves something', async () => {
    const { context } = await startTestApp();
    await newApplication(context);
    plantings += 1;
    Object.assign(process.env, { PLANTED: 'yes', HOME: '/planted' });
    process.chdir('/');
    Object.assign(globalThis, { planted: true, fetch: () => undefined });
    noteProcess();
  });

  // nothing is open any more, and would wait for this clock
  it('leaves a false clock', () => {
    jest.spyOn(Date, 'now').mockReturnValue(0);
    jest.useFakeTimers();
  });
}

/** In which process it runs, and whether the service was loaded there before. */
function noteProcess(): void {
  const seen = globalThis as Record<symbol, unknown>;
  const key = Symbol.for('the entity of the first file');
  appendFileSync(process.env.NOTES!, `${process.pid} ${seen[key] === Application ? 'again' : 'loaded'}\n`);
  seen[key] = Application;
}
