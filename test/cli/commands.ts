/** Commands in a process that loads the service once: for what a command does and prints, where its start is not the subject. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeAtEnd } from '../support/lifetimes.js';

export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** Returns what runs a command after the one before: its words, its environment, and the folder that it is typed in. */
export function openCommands(): (words: string[], settings: NodeJS.ProcessEnv, folder: string) => Promise<Outcome> {
  const child = fork(new URL('./manyCommands.js', import.meta.url), { execArgv: [] });
  const ended = once(child, 'exit');
  closeAtEnd(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const isGone = ended.then(() => Promise.reject(new Error('The process of the commands has ended.')));
  isGone.catch(() => undefined);
  let last: Promise<unknown> = Promise.resolve();
  return (...command) => {
    const outcome = last.then(async () => {
      child.send(command);
      const [said] = await Promise.race([once(child, 'message'), isGone]);
      return said as Outcome;
    });
    last = outcome.catch(() => undefined);
    return outcome;
  };
}
