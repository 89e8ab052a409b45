/** A service with the catalogue of real size: the small demonstration and what `npm run start:large` adds. */
import { demonstrationFile } from '../../dev/demoData.js';
import { fillLarge } from '../../dev/largeData.js';
import { importFile } from '../../src/modules/transfer/importFile.js';
import { startTestApp, type TestApp } from './app.js';

export async function startLargeApp(...options: Parameters<typeof startTestApp>): Promise<TestApp> {
  const app = await startTestApp(...options);
  await importFile(app.context, demonstrationFile);
  await fillLarge(app.context);
  app.takeStatements();
  return app;
}
