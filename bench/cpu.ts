/** CPU time of processes, from proc(5). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const microsecondsPerTick = 10_000;

interface Stat {
  parent: number;
  own: number;
  /** Of children that have ended. */
  ofChildren: number;
}

/** Microseconds of a process, all threads together. */
export const cpuOf = (pid: number): number => readStat(pid)?.own ?? 0;

/** Microseconds of PostgreSQL: the postmaster, its children, and those that ended. */
export function cpuOfPostgres(directory: string): number {
  const postmaster = Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const stat = readStat(postmaster);
  let sum = stat ? stat.own + stat.ofChildren : 0;
  for (const name of readdirSync('/proc')) {
    const child = /^\d+$/.test(name) ? readStat(Number(name)) : undefined;
    if (child?.parent === postmaster) sum += child.own;
  }
  return sum;
}

function readStat(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // fields 3 and on: state ppid … utime(14) stime cutime cstime
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const ticks = (first: number) => (fields[first]! + fields[first + 1]!) * microsecondsPerTick;
    return { parent: fields[1]!, own: ticks(11), ofChildren: ticks(13) };
  } catch {
    return undefined;
  }
}
