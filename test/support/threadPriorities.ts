/** The priorities of a process's threads, which Linux shows. */
import { readdirSync, readFileSync } from 'node:fs';

/** The nice value of each thread of the process, by the thread's number. */
export const threadPriorities = (pid = process.pid): Map<string, number> =>
  new Map(
    readdirSync(`/proc/${pid}/task`).map((thread) => {
      const fields = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1').split(') ').at(-1)!.split(' ');
      return [thread, Number(fields[16])];
    }),
  );

export const onLinux = process.platform === 'linux' ? it : it.skip;
