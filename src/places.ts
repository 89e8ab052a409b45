/** Where our files are, also for code that runs from the bundle: only this file knows its own place. */
import { existsSync } from 'node:fs';

const here = new URL('./', import.meta.url);

function projectAbove(folder: URL): URL {
  return existsSync(new URL('package.json', folder)) ? folder : projectAbove(new URL('../', folder));
}

const project = projectAbove(here);

/** A file of the project, by its path from there, such as `docs/operations/`. */
export const projectFile = (path = ''): URL => new URL(path, project);

/** A program that runs in a process or thread of its own, by its path from the project. The bundle has it at the same path. */
export const programFile = (path: string): URL => new URL(`../${path}.js`, here);
