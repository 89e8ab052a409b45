/**
 * graphql-codegen, as docs/operations/codegen.ts configures it, makes typed documents of docs/operations. It needs TypeScript 5, so it
 * is installed apart (`npm run test:clients`) and this is skipped without it.
 */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const project = fileURLToPath(new URL('../../../', import.meta.url));
const place = join(project, 'test/generatedClients');
const world = join(place, 'generatedOperations');
const operations = join(world, 'docs/operations');
const isInstalled = existsSync(join(place, 'node_modules/@graphql-codegen/cli'));

(isInstalled ? describe : describe.skip)('docs/operations', () => {
  let types: string;
  beforeAll(async () => {
    rmSync(world, { recursive: true, force: true });
    mkdirSync(operations, { recursive: true });
    cpSync(join(project, 'docs/operations'), operations, { recursive: true });
    cpSync(join(project, 'schema.graphql'), join(world, 'schema.graphql'));
    const program = join(place, 'node_modules/@graphql-codegen/cli/esm/bin.js');
    await promisify(execFile)(process.execPath, [program, '--config', 'codegen.ts'], { cwd: operations });
    types = readFileSync(join(operations, 'generated/graphql.ts'), 'utf8');
  });
  afterAll(() => rmSync(world, { recursive: true, force: true }));

  it('become documents whose UUID and DateTime are strings, and nothing is any', () => {
    expect(types).toMatch(/ApplicationsQuery = .*applicationGuid: string/);
    expect(types).toMatch(/CreateApplicationMutation = .*createdDate: string/);
    expect(types).not.toMatch(/\b(applicationGuid|userGuid|createdDate|occurredAt)\??: (unknown|any)\b/);
  });

  it('have a manifest of persisted documents with every operation', () => {
    const manifest = JSON.parse(readFileSync(join(operations, 'generated/persisted-documents.json'), 'utf8')) as object;
    const named = Object.values(manifest).map((text: string) => /(?:query|mutation) (\w+)/.exec(text)?.[1]);
    expect(named.sort()).toEqual([
      'Applications',
      'CreateApplication',
      'History',
      'Look',
      'PreviewToken',
      'Profiles',
      'Search',
      'Undo',
      'Users',
      'Viewer',
      'Why',
    ]);
  });
});
