/** Ends the processes that this one started, and theirs: workers, services, browsers. A PostgreSQL ends by itself when nobody uses it. */
import { readdirSync, readFileSync } from 'node:fs';

/** Parent and session of each process. */
function processes() {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      // the name of the program, in brackets, may contain anything
      const [, parent, , session] = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      return [{ id: Number(name), parent, session }];
    } catch {
      return []; // it has ended
    }
  });
}

export function endProcesses(of = process.pid) {
  const all = processes();
  const childrenOf = (id) =>
    all.filter(({ parent }) => parent === id).flatMap((child) => [child, ...childrenOf(child.id)]);
  const { session } = all.find(({ id }) => id === of);
  // the keeper of a PostgreSQL has a session of its own
  for (const child of childrenOf(of).filter((each) => each.session === session)) {
    try {
      process.kill(child.id, 'SIGKILL');
    } catch {}
  }
}
