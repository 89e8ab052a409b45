/** docs/clients/go.md: its programs compile and run, with clients that oapi-codegen and genqlient generate. */
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ClientWorld, filesOf, root, startClientWorld } from '../support/clientWorld.js';
import { describeWith, run, startApi, statusesOf, writeFiles } from './trial.js';

const files = filesOf('go.md');
const programs = files.filter(({ name }) => name.endsWith('.go'));
const nameOf = ({ name }: { name: string }) => name.split('/')[0]!;

describeWith('Go', ['go'])('docs/clients/go.md', () => {
  let world: ClientWorld;
  let folder: string;
  beforeAll(async () => {
    world = await startClientWorld();
    folder = writeFiles(files);
    for (const name of ['go.mod', 'go.sum']) await copyFile(join(root, 'test/clients/go', name), join(folder, name));
    await copyFile(join(root, 'schema.graphql'), join(folder, 'schema.graphql'));
    const [generate] = /^```sh\n(.*?)^```/ms.exec(await readFile(join(root, 'docs/clients/go.md'), 'utf8'))!.slice(1);
    await run('mkdir', ['gatehouse', 'graph'], folder);
    await run('bash', ['-euo', 'pipefail', '-c', generate!], folder, world.environment);
    await run('go', ['tool', 'genqlient'], folder);
    await run('go', ['build', '-o', 'built/', './...'], folder);
  });

  it.each(
    programs.filter(({ printed }) => printed).map((file) => [nameOf(file), file] as const),
  )('%s prints what the page says', async (name, { printed }) => {
    expect(await run(join(folder, 'built', name), [], folder, world.environment)).toBe(printed);
  });

  it.each(['keys', 'introspection'])('the API with %s accepts a valid token, and refuses others', async (name) => {
    const url = await startApi(join(folder, 'built', name), [], folder, world.environment);
    const { ACCESS_TOKEN, WILDCARD_TOKEN, ADMIN_TOKEN } = world.environment;
    const tokens = [ACCESS_TOKEN, WILDCARD_TOKEN, undefined, `${ACCESS_TOKEN}x`];
    expect(await statusesOf(`${url}/measurements`, ...tokens)).toEqual([200, 200, 401, 401]);
    // it has no scope of a site
    if (name === 'keys') expect(await statusesOf(`${url}/measurements`, ADMIN_TOKEN)).toEqual([403]);
  });
});
