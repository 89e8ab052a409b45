/** On a machine that cannot have the servers that the benchmark compares with, their rows say so and the others are measured. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hydra, keycloak, obtain } from '../../bench/servers.js';

const { PATH, XDG_CACHE_HOME } = process.env;
const folder = mkdtempSync(join(tmpdir(), 'servers-'));
const tools = join(folder, 'bin');
mkdirSync(tools);

beforeEach(() => Object.assign(process.env, { PATH: tools, XDG_CACHE_HOME: folder }));
afterAll(() => {
  rmSync(folder, { recursive: true });
  Object.assign(process.env, { PATH, XDG_CACHE_HOME });
  if (XDG_CACHE_HOME === undefined) delete process.env.XDG_CACHE_HOME;
});

it('a server whose tool is missing is left out by name, and says which tool', () => {
  expect([obtain(hydra), obtain(keycloak)]).toEqual([
    { reason: expect.stringMatching(/^Hydra v[\d.]+ is left out: go is not on this machine\.$/) },
    { reason: expect.stringMatching(/^Keycloak [\d.]+ is left out: mvn is not on this machine\.$/) },
  ]);
});

it('a server that cannot be fetched is left out by name, and says what its tool said', () => {
  for (const tool of ['go', 'mvn']) {
    writeFileSync(join(tools, tool), '#!/bin/sh\necho the registry does not answer\nexit 1\n');
    chmodSync(join(tools, tool), 0o755);
  }
  for (const server of [hydra, keycloak])
    expect(obtain(server).reason).toMatch(/^\w+ v?[\d.]+ is left out: .+ failed \(the registry does not answer\)\.$/);
});
