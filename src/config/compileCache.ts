/** Node keeps what it compiled of the modules of a command, so that the next command needn't compile them. */
import module from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * From now on, beside the modules: whoever may write there may change the program itself. Where nothing can be written,
 * nothing is kept. https://nodejs.org/api/module.html#module-compile-cache
 */
export function keepCompiledModules(): void {
  // Node 20 has none, and is told about where the libraries are loaded
  module.enableCompileCache?.(fileURLToPath(new URL('../../compile-cache', import.meta.url)));
}
