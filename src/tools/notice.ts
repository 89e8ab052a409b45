/** NOTICE: the licences of the packages that an installation or the console's bundle contains. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

interface LockedPackage {
  version: string;
  license?: string;
  dev?: boolean;
  optional?: boolean;
  dependencies?: Record<string, string>;
}

/** Imported by the console's source: their code is in its bundle, without the files of licences that packages have. */
const bundled = ['react', 'react-dom', '@tanstack/react-query', '@tanstack/react-router', '@tanstack/react-virtual'];

/** @param root of the project, where npm ci has put the packages. Throws when a package names no licence, or a bundled one has no text of it. */
export function noticeText(root: URL): string {
  const lock = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8'));
  const packages = Object.entries(lock.packages as Record<string, LockedPackage>).filter(([path]) => path !== '');
  const run = packages.filter(([, { dev, optional }]) => !dev && !optional);
  const offered = packages.filter(([, { dev, optional }]) => !dev && optional);
  const shipped = bundledPaths(new Map(packages));
  return [
    'Gatehouse contains or installs the packages below. `npm run generate` writes this file.',
    heading('Packages that the service runs with'),
    'Each has the text of its licence in its folder of node_modules, in the image too.',
    '',
    ...lines(run),
    heading('Optional packages'),
    'npm ci installs those of its platform for development: a Node, a PostgreSQL, Swagger UI and GraphiQL. The image has none.',
    '',
    ...lines(offered),
    heading('Packages in the bundle of the console'),
    ...lines(packages.filter(([path]) => shipped.includes(path))),
    ...run.flatMap(([path]) => textsOf(root, path, /^notice(\.(md|txt))?$/i)),
    ...shipped.flatMap((path) => {
      const texts = textsOf(root, path, /^(licen[cs]e|copying)([.-].*)?$/i);
      if (texts.length === 0) throw new Error(`${path} has no text of its licence.`);
      return texts;
    }),
    '',
  ].join('\n');
}

const heading = (text: string): string => `\n${text}\n${'='.repeat(text.length)}\n`;

/** One line for each version of a package, sorted by name. */
function lines(packages: readonly [path: string, locked: LockedPackage][]): string[] {
  const named = packages.map(([path, { version, license }]) => {
    if (!license) throw new Error(`${path} names no licence.`);
    return `${nameOf(path)} ${version}: ${license}`;
  });
  return [...new Set(named)].sort();
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Paths in the lock of what the console imports, and of what that imports. */
function bundledPaths(packages: ReadonlyMap<string, LockedPackage>): string[] {
  const paths = new Set<string>();
  const add = (name: string, from: string): void => {
    // as Node looks for it: beside the importing package, then further up
    let folder = from;
    while (folder !== '' && !packages.has(`${folder}/node_modules/${name}`))
      folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')));
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (paths.has(path)) return;
    paths.add(path);
    for (const dependency of Object.keys(packages.get(path)?.dependencies ?? {})) add(dependency, path);
  };
  for (const name of bundled) add(name, '');
  return [...paths].sort();
}

/** The files of a package whose names match, each with a heading. */
function textsOf(root: URL, path: string, name: RegExp): string[] {
  const folder = new URL(`${path}/`, root);
  if (!existsSync(folder)) throw new Error(`${path} is not installed: run npm ci first.`);
  return readdirSync(folder)
    .filter((file) => name.test(file))
    .sort()
    .map((file) => `${heading(`${nameOf(path)}: ${file}`)}${trimmed(readFileSync(new URL(file, folder), 'utf8'))}`);
}

const trimmed = (text: string): string => text.replaceAll(/[ \t\r]+$/gm, '').trim();
