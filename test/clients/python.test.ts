/** docs/clients/python.md: its programs run, with a client that openapi-python-client generates from /openapi.json. */
import { join } from 'node:path';
import { type ClientWorld, filesOf, root, startClientWorld } from '../support/clientWorld.js';
import { describeWith, run, startApi, statusesOf, writeFiles } from './trial.js';

const files = filesOf('python.md');

describeWith('Python', ['python3'])('docs/clients/python.md', () => {
  let world: ClientWorld;
  let folder: string;
  let python: string;
  beforeAll(async () => {
    world = await startClientWorld();
    folder = writeFiles(files);
    await run('python3', ['-m', 'venv', 'environment'], folder);
    const bin = join(folder, 'environment/bin');
    python = join(bin, 'python');
    const requirements = join(root, 'test/clients/python/requirements.txt');
    await run(python, ['-m', 'pip', 'install', '-q', '--no-compile', '-r', requirements], folder);
    const url = `${world.app.url}/openapi.json`;
    const words = ['generate', '--url', url, '--output-path', 'gatehouse', '--meta', 'none'];
    await run(join(bin, 'openapi-python-client'), words, folder);
  });

  it.each(files.filter(({ printed }) => printed))('$name prints what the page says', async ({ name, printed }) => {
    expect(await run(python, [name], folder, world.environment)).toBe(printed);
  });

  it.each([
    'api_by_keys.py',
    'api_by_introspection.py',
  ])('%s accepts a valid token, and refuses others', async (name) => {
    const url = await startApi(python, [name], folder, world.environment);
    const { ACCESS_TOKEN, WILDCARD_TOKEN, ADMIN_TOKEN } = world.environment;
    const tokens = [ACCESS_TOKEN, WILDCARD_TOKEN, undefined, `${ACCESS_TOKEN}x`];
    expect(await statusesOf(`${url}/measurements`, ...tokens)).toEqual([200, 200, 401, 401]);
    // it has no scope of a site
    if (name === 'api_by_keys.py') expect(await statusesOf(`${url}/measurements`, ADMIN_TOKEN)).toEqual([403]);
  });
});
