/** docs/clients/java.md: Maven compiles its programs with a client that is generated from /openapi.json, and they run. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ClientWorld, filesOf, root, startClientWorld } from '../support/clientWorld.js';
import { describeWith, run, startApi, statusesOf, writeFiles } from './trial.js';

const files = filesOf('java.md');
/** Programs that end in seconds are not worth the second compiler. */
const quickly = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

describeWith('Java', ['mvn', 'java'])('docs/clients/java.md', () => {
  let world: ClientWorld;
  let folder: string;
  let java: (...words: string[]) => [program: string, words: string[]];
  beforeAll(async () => {
    world = await startClientWorld();
    folder = writeFiles(files, (name) => (name.endsWith('.java') ? `sources/${name}` : `target/classes/${name}`));
    await writeFile(join(folder, 'openapi.json'), await (await fetch(`${world.app.url}/openapi.json`)).text());
    const settings = { openapi: 'openapi.json', sources: 'sources', target: 'target', 'mdep.outputFile': 'classpath' };
    const defined = Object.entries(settings).map(([name, path]) => `-D${name}=${join(folder, path)}`);
    await run(
      'mvn',
      ['-B', '-q', 'compile', 'dependency:build-classpath', ...defined],
      join(root, 'test/clients/java'),
      { MAVEN_OPTS: quickly.join(' ') },
    );
    const path = await run('cat', ['classpath'], folder);
    java = (...words) => ['java', [...quickly, '-cp', `${join(folder, 'target/classes')}:${path}`, ...words]];
  });

  it.each(files.filter(({ printed }) => printed))('$name prints what the page says', async ({ name, printed }) => {
    const [program, words] = java(name.replace('.java', '').replaceAll('/', '.'));
    expect(await run(program, words, folder, world.environment)).toBe(printed);
  });

  it.each([
    'keys',
    'introspection',
  ])('the API with %s accepts a valid token, and refuses none and a wrong one', async (name) => {
    const [program, words] = java(`${name}.Api`, `--spring.config.name=${name}`);
    const url = await startApi(program, words, folder, world.environment);
    const { ACCESS_TOKEN, WILDCARD_TOKEN, ADMIN_TOKEN } = world.environment;
    expect(
      await statusesOf(`${url}/measurements`, ACCESS_TOKEN, WILDCARD_TOKEN, undefined, `${ACCESS_TOKEN}x`),
    ).toEqual([200, 200, 401, 401]);
    // it has no scope of a site
    if (name === 'keys') expect(await statusesOf(`${url}/measurements`, ADMIN_TOKEN)).toEqual([403]);
  });
});
