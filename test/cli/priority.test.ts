/** Imports and plans leave the processor to those who answer requests: on Linux their threads can be looked at. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, getPriority } from 'node:os';
import { closeAtEnd } from '../support/lifetimes.js';
import { onLinux, threadPriorities } from '../support/threadPriorities.js';

/** The nice value of all threads of a command that was begun with this one. */
async function priorityOfCommand(begunWith: number): Promise<number[]> {
  const session = new URL('../../src/cli/session.js', import.meta.url).href;
  const program = `(await import('${session}')).yieldToRequests(); console.log('done'); process.stdin.resume();`;
  const command = [process.execPath, '--input-type=module', '--eval', program];
  const child = spawn('nice', ['-n', String(begunWith - getPriority()), ...command], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  closeAtEnd(async () => void child.kill());
  await once(child.stdout, 'data');
  const priorities = [...threadPriorities(child.pid).values()];
  expect(priorities.length).toBeGreaterThan(1);
  return [...new Set(priorities)];
}

onLinux('a command that yields to requests does so with all threads, also those that collect garbage', async () => {
  const usual = getPriority();
  expect(await priorityOfCommand(usual)).toEqual([Math.max(usual, constants.priority.PRIORITY_BELOW_NORMAL)]);
});

onLinux('a command that was begun with the lowest priority keeps it', async () => {
  expect(await priorityOfCommand(constants.priority.PRIORITY_LOW)).toEqual([constants.priority.PRIORITY_LOW]);
});
