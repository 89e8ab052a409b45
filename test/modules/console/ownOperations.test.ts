/** The console's graph executes the operations of the console's own pages, and nothing else. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, validate } from 'graphql';
import { sha256Of } from '../../../src/config/trustedDocuments.js';
import { openSchema } from '../../../src/graphql/schema.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { fromOwnPage } from './browser.js';
import { builtConsole } from './consoleApp.js';

const own = JSON.parse(readFileSync('console/src/operations/generated/documents.json', 'utf8')) as Record<
  string,
  string
>;
let list: string;
let app: TestApp;
beforeAll(async () => {
  const folder = builtConsole();
  list = join(folder, 'documents.json');
  writeFileSync(list, JSON.stringify(own));
  app = await startTestApp({ ADMIN_AUTH: 'none' }, { consoleFolder: folder });
});
afterAll(() => app?.close());

const ask = async (body: object) => {
  const { status, json } = await app.post('/console/graphql', body, fromOwnPage);
  return [status, json.errors?.[0].extensions.code];
};
const notListed = [404, 'PERSISTED_QUERY_NOT_FOUND'];
const text = '{ applications { nodes { name } } }';

it('each operation of the pages is listed by its hash, and is one of the schema', () => {
  for (const [id, query] of Object.entries(own)) {
    expect(id).toBe(sha256Of(query));
    expect(validate(openSchema(), parse(query))).toEqual([]);
  }
  expect(Object.keys(own).length).toBeGreaterThan(40);
});

it('an operation of a page is executed by its hash, and no other document is', async () => {
  const [id] = Object.entries(own).find(([, query]) => query.startsWith('query Me'))!;
  expect(await ask({ documentId: `sha256:${id}` })).toEqual([200, undefined]);
  expect(await ask({ query: text })).toEqual(notListed);
  expect(await ask({ documentId: sha256Of(text) })).toEqual(notListed);
  expect(
    await ask({ query: text, extensions: { persistedQuery: { version: 1, sha256Hash: sha256Of(text) } } }),
  ).toEqual(notListed);
});

it('GRAPHQL_DOCUMENTS is of /graphql alone: it opens nothing here', async () => {
  expect((await app.post('/graphql', { query: text })).status).toBe(200);
  expect(await ask({ query: text })).toEqual(notListed);
});

it('pages that are built while the service runs are answered', async () => {
  writeFileSync(list, JSON.stringify({ ...own, [sha256Of(text)]: text }));
  expect(await ask({ documentId: `sha256:${sha256Of(text)}` })).toEqual([200, undefined]);
});

it('a folder without the list is no built console', async () => {
  const other = builtConsole();
  rmSync(join(other, 'documents.json'));
  const { url } = await startTestApp({}, { consoleFolder: other });
  expect((await fetch(`${url}/console/`)).status).toBe(404);
});
