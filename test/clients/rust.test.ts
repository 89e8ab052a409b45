/** docs/clients/rust.md: its programs compile and run, with types that graphql_client makes of schema.graphql. */
import { copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type ClientWorld, filesOf, root, startClientWorld } from '../support/clientWorld.js';
import { describeWith, run, startApi, statusesOf, writeFiles } from './trial.js';

const files = filesOf('rust.md');
const programs = files
  .filter(({ name }) => name.endsWith('.rs'))
  .map((file) => ({ ...file, name: basename(file.name, '.rs') }));

describeWith('Rust', ['cargo'])('docs/clients/rust.md', () => {
  let world: ClientWorld;
  let folder: string;
  const built = (name: string) => join(process.env.CARGO_TARGET_DIR ?? join(folder, 'target'), 'debug', name);
  beforeAll(async () => {
    world = await startClientWorld();
    folder = writeFiles(files);
    for (const name of ['Cargo.toml', 'Cargo.lock'])
      await copyFile(join(root, 'test/clients/rust', name), join(folder, name));
    await copyFile(join(root, 'schema.graphql'), join(folder, 'schema.graphql'));
    await run('cargo', ['build', '--quiet', '--locked'], folder);
  });

  it.each(programs.filter(({ printed }) => printed))('$name prints what the page says', async ({ name, printed }) => {
    expect(await run(built(name), [], folder, world.environment)).toBe(printed);
  });

  it.each(['keys', 'introspection'])('the API with %s accepts a valid token, and refuses others', async (name) => {
    const url = await startApi(built(name), [], folder, world.environment);
    const { ACCESS_TOKEN, WILDCARD_TOKEN, ADMIN_TOKEN } = world.environment;
    const tokens = [ACCESS_TOKEN, WILDCARD_TOKEN, undefined, `${ACCESS_TOKEN}x`];
    expect(await statusesOf(url, ...tokens)).toEqual([200, 200, 401, 401]);
    // it has no scope of a site
    if (name === 'keys') expect(await statusesOf(url, ADMIN_TOKEN)).toEqual([403]);
  });
});
