/** What a change of the schema breaks for clients of the last release. */
import { spawnSync } from 'node:child_process';
import { buildSchema, findBreakingChanges } from 'graphql';

/** schema.graphql of the newest tag `v…` before the present commit; empty before the first release, and where git can't tell. */
export function releasedSchema(folder: string | URL): string {
  const git = (...words: string[]): string => {
    const { status, stdout } = spawnSync('git', words, { cwd: folder, encoding: 'utf8' });
    return status === 0 ? stdout : '';
  };
  const release = git('describe', '--tags', '--abbrev=0', '--match', 'v*').trim();
  return release === '' ? '' : git('show', `${release}:schema.graphql`);
}

/** A sentence for each change that an existing client can't bear, except those that the change log has word for word. */
export function findUnannouncedBreaks(before: string, after: string, changelog: string): string[] {
  if (before.trim() === '') return [];
  const [, unreleased = ''] = /^## Unreleased$(.*?)(?=^## |$(?![\s\S]))/ms.exec(changelog) ?? [];
  return findBreakingChanges(buildSchema(before), buildSchema(after))
    .map(({ description }) => description)
    .filter((description) => !unreleased.includes(description));
}
