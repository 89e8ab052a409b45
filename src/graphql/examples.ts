/** Reads the example operations of docs/operations, which code generators, GraphiQL and the tests use, and docs/graphql.md lists. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { projectFile } from '../places.js';

export interface Example {
  /** The file's name. */
  name: string;
  title: string;
  query: string;
  variables?: object;
}

/** A placeholder for the guid of a change set. */
export const exampleChangeSet = '00000000-0000-4000-8000-000000000000';

const folder = projectFile('docs/operations/');

/** The examples in the order of their file names; empty in an installation without the documents. */
export const examples: Example[] = existsSync(folder)
  ? readdirSync(folder)
      .filter((name) => name.endsWith('.graphql'))
      .sort()
      .map(readExample)
  : [];

/** The first line of the file is the title, as a comment. */
function readExample(name: string): Example {
  const [title = '', ...lines] = readFileSync(new URL(name, folder), 'utf8').trimEnd().split('\n');
  const variables = new URL(name.replace(/graphql$/, 'variables.json'), folder);
  return {
    name,
    title: title.replace(/^# /, ''),
    query: lines.join('\n'),
    ...(existsSync(variables) && { variables: JSON.parse(readFileSync(variables, 'utf8')) as object }),
  };
}

/** Links to the examples as Markdown, for docs/graphql.md. */
export const examplesText = (): string =>
  examples.map(({ name, title }) => `- [${title}](operations/${name})`).join('\n');
