/** Packages that an installation may lack. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findPackages } from '../../src/http/routes.js';
import type { Log } from '../../src/observability/log.js';

it('one that is not installed takes its page away, which the log says in one line; the others are found', () => {
  const logged: unknown[] = [];
  const log = { info: (...given: unknown[]) => logged.push(given) } as unknown as Log;
  const [folder] = findPackages(['swagger-ui-dist'], '/docs', log)!;
  expect(existsSync(join(folder!, 'swagger-ui-bundle.js'))).toBe(true);
  expect(logged).toEqual([]);
  expect(findPackages(['swagger-ui-dist', 'gatehouse-is-not-installed'], '/docs', log)).toBeUndefined();
  expect(logged).toEqual([[expect.objectContaining({ page: '/docs' }), expect.stringContaining('not installed')]]);
});
