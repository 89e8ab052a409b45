/** Imports and plans leave the processor to those who answer requests: on Linux their threads can be looked at. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, getPriority } from 'node:os';
import { closeAtEnd } from '../support/lifetimes.js';
import { onLinux, threadPriorities } from '../support/threadPriorities.js';

onLinux('a command that yields to requests does so with all threads, also those that collect garbage', async () => {
  const session = new URL('../../src/cli/session.js', import.meta.url).href;
  const program = `(await import('${session}')).yieldToRequests(); console.log('done'); process.stdin.resume();`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  closeAtEnd(async () => void child.kill());
  await once(child.stdout, 'data');
  const priorities = [...threadPriorities(child.pid).values()];
  expect(priorities.length).toBeGreaterThan(1);
  expect(new Set(priorities)).toEqual(new Set([Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL)]));
});
