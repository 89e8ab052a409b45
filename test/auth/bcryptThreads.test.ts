/** Comparisons never take the processor from those who answer: on Linux their threads can be looked at. */
import { readdirSync, readFileSync } from 'node:fs';
import { openBcryptThreads } from '../../src/auth/clientSecret.js';

/** The nice value of each thread of this process, by the thread's number. */
const priorities = (): Map<string, number> =>
  new Map(
    readdirSync('/proc/self/task').map((thread) => {
      const fields = readFileSync(`/proc/self/task/${thread}/stat`, 'latin1').split(') ').at(-1)!.split(' ');
      return [thread, Number(fields[16])];
    }),
  );

const onLinux = process.platform === 'linux' ? it : it.skip;

onLinux('bcrypt runs in a thread of lower priority than every other', async () => {
  // other tests of this process may have threads of their own
  const before = priorities();
  const usual = before.get(String(process.pid))!;
  const threads = openBcryptThreads(1);
  const hash = await threads.hash('s3cret', 4);
  expect(await threads.compare('s3cret', hash)).toBe(true);
  expect(await threads.compare('another', hash)).toBe(false);
  const begun = [...priorities()].filter(([thread]) => !before.has(thread)).map(([, priority]) => priority);
  expect(begun.filter((priority) => priority > usual)).toEqual([Math.min(usual + 10, 19)]);
});
