/** docs/clients/curl.md: each script prints what the page says. */
import { type ClientWorld, filesOf, startClientWorld } from '../support/clientWorld.js';
import { describeWith, run, writeFiles } from './trial.js';

const files = filesOf('curl.md');

describeWith('curl', ['curl', 'jq'])('docs/clients/curl.md', () => {
  let world: ClientWorld;
  let folder: string;
  beforeAll(async () => {
    world = await startClientWorld();
    folder = writeFiles(files);
  });

  it.each(files)('$name prints what the page says', async ({ name, printed }) => {
    expect(await run('bash', [name], folder, world.environment)).toBe(printed);
  });
});
