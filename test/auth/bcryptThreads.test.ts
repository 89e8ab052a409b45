/** Comparisons never take the processor from those who answer: on Linux their threads can be looked at. */
import { openBcryptThreads } from '../../src/auth/clientSecret.js';
import { onLinux, threadPriorities } from '../support/threadPriorities.js';

onLinux('bcrypt runs in a thread of lower priority than every other', async () => {
  // other tests of this process may have threads of their own
  const before = threadPriorities();
  const usual = before.get(String(process.pid))!;
  const threads = openBcryptThreads(1);
  const hash = await threads.hash('s3cret', 4);
  expect(await threads.compare('s3cret', hash)).toBe(true);
  expect(await threads.compare('another', hash)).toBe(false);
  const begun = [...threadPriorities()].filter(([thread]) => !before.has(thread)).map(([, priority]) => priority);
  expect(begun.filter((priority) => priority > usual)).toEqual([Math.min(usual + 10, 19)]);
});
