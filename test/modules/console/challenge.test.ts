/** What the console answers to who is not signed in. */
import { fromOwnPage } from './browser.js';
import { startDevelopmentConsole } from './consoleApp.js';

it.each([
  '/console/graphql',
  '/console/export/users',
  '/console/profile',
])('the 401 of %s says how to authenticate, by a scheme that makes no browser ask for a password', async (path) => {
  const { app } = await startDevelopmentConsole();
  const { status, headers } = await app.post(path, {}, fromOwnPage);
  expect([status, headers.get('www-authenticate')]).toEqual([401, 'Session realm="gatehouse"']);
});
