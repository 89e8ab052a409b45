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

/** Microseconds of a process, all threads together, and of its children, those that ended too. */
export function cpuOf(pid: number): number {
  const { own = 0, ofChildren = 0 } = readStat(pid) ?? {};
  return childrenOf(pid).reduce((sum, child) => sum + (readStat(child)?.own ?? 0), own + ofChildren);
}

export const cpuOfPostgres = (directory: string): number =>
  cpuOf(Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]));

/** Of all processes. */
export function cpuOfMachine(): number {
  const [user, nice, system, , , irq, softirq] = ticksIn(readFileSync('/proc/stat', 'utf8').slice('cpu  '.length));
  return (user! + nice! + system! + irq! + softirq!) * microsecondsPerTick;
}

export const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => readStat(each)?.parent === pid);

const ticksIn = (text: string): number[] => text.split(' ').map(Number);

function readStat(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // fields 3 and on: state ppid … utime(14) stime cutime cstime
    const fields = ticksIn(text.slice(text.lastIndexOf(')') + 2));
    const ticks = (first: number) => (fields[first]! + fields[first + 1]!) * microsecondsPerTick;
    return { parent: fields[1]!, own: ticks(11), ofChildren: ticks(13) };
  } catch {
    return undefined;
  }
}
