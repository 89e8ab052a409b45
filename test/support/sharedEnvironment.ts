/** Jest's environment of a test file: the worker's own process. At the end of the file the process is as it was before. */
import { mocker, timers } from './jestGlobals.js';

/** Made when a library is loaded, once in a process. */
const ofLibraries = new Set(['TypeGraphQLMetadataStorage', 'mikro-orm-metadata']);

type Globals = Map<string, PropertyDescriptor>;

const globals = (): Globals => new Map(Object.entries(Object.getOwnPropertyDescriptors(globalThis)));

export default class SharedEnvironment {
  readonly global = globalThis;
  readonly moduleMocker = mocker;
  readonly fakeTimersModern = timers;
  readonly fakeTimers = null;
  readonly #globals = globals();
  readonly #variables = { ...process.env };
  readonly #folder = process.cwd();
  readonly #exit = process.exit;

  async setup(): Promise<void> {}

  async teardown(): Promise<void> {
    timers.dispose();
    mocker.restoreAllMocks();
    restoreGlobals(this.#globals);
    for (const name of Object.keys(process.env)) if (!(name in this.#variables)) delete process.env[name];
    Object.assign(process.env, this.#variables);
    process.chdir(this.#folder);
    // Jest puts its own in place in each file
    process.exit = this.#exit;
  }

  exportConditions(): string[] {
    return ['node', 'node-addons'];
  }

  /** Jest asks each environment for it, and uses it only in its own registry of modules. */
  getVmContext(): null {
    return null;
  }
}

function restoreGlobals(before: Globals): void {
  for (const [name, { value, get }] of globals()) {
    const earlier = before.get(name);
    if (earlier?.value === value && earlier?.get === get) continue;
    if (earlier) Object.defineProperty(globalThis, name, earlier);
    else if (!ofLibraries.has(name)) Reflect.deleteProperty(globalThis, name);
  }
}
