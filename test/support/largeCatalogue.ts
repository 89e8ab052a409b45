/** A service with the catalogue of real size: the small demonstration and what `npm run start:large` adds. */
import { demonstrationFile } from '../../dev/demoData.js';
import { fillLarge } from '../../dev/largeData.js';
import { importFile } from '../../src/modules/transfer/importFile.js';
import { startTestApp, type TestApp } from './app.js';
import { sharedTemplate } from './cluster.js';

export async function startLargeApp(...[settings, options]: Parameters<typeof startTestApp>): Promise<TestApp> {
  const template = await sharedTemplate('large_catalogue', async (url) => {
    const { context, close } = await startTestApp({ DATABASE_URL: url });
    await importFile(context, demonstrationFile);
    await fillLarge(context);
    // as PostgreSQL does by itself within a minute or so: without statistics a brute-force count takes as long
    await context.sql.rows('analyze');
    await close();
  });
  const app = await startTestApp(settings, { ...options, template });
  app.takeStatements();
  return app;
}
