/** Connectors under Programs: their state, last contact, the end of the old token, and what they manage. */
import { revokeConnector, rotateConnectorToken } from '../../src/modules/scim/connectors.js';
import { newConnector } from '../support/connectors.js';
import { grace, openBrowser, settled } from './support/browser.js';

beforeAll(openBrowser);

it('the page of connectors is under Programs, and says of each whether it works, since when, and what it manages', async () => {
  const { app, page, takeRequests } = await grace('/overview');
  const { context } = app;
  const one = await newConnector(context, app.url, 'entra', { idpname: 'development' });
  await newConnector(context, app.url, 'okta');
  await newConnector(context, app.url, 'old');
  await one.scim('GET', '/Users?count=1');
  await rotateConnectorToken(context, 'entra', 50);
  await revokeConnector(context, 'old');
  takeRequests();
  await page.getByRole('link', { name: 'Connectors' }).click();
  await page.getByRole('heading', { name: 'Connectors', level: 1 }).waitFor();
  await page.getByText('3 connectors').waitFor();
  await settled(page);
  expect(takeRequests().length).toBe(1);
  const rowOf = (name: string) => page.getByRole('row').filter({ hasText: name });
  const [people] = await context.sql.rows<{ count: number }>(
    "select count(*)::int as count from users where idpname = 'development'",
  );
  await rowOf('entra').getByText('active').waitFor();
  await rowOf('entra').getByText('just now').first().waitFor();
  await rowOf('entra').getByText('in 2 days').waitFor();
  await rowOf('entra').getByText(`${people!.count} people`).waitFor();
  await rowOf('okta').getByText('never used').waitFor();
  await rowOf('okta').getByText('no end').waitFor();
  await rowOf('old').getByText('revoked').waitFor();
  await page.getByRole('searchbox', { name: 'Search connectors' }).fill('okt');
  await page.getByText('1 connector matches').waitFor();
});

it('who holds what a connector assigns are its own people, and not those of one whose name goes on', async () => {
  const { app, page, go } = await grace('/overview');
  const { context } = app;
  await newConnector(context, app.url, 'hr', { idpname: 'development' });
  await newConnector(context, app.url, 'hr-north', { idpname: 'development' });
  const assign = (email: string, by: string) =>
    context.sql.rows(
      `insert into user_profiles (user_id, profile_id, role_id, managed_by, created_by)
       select user_id, 'reporting', 'technician', $2, user_guid from users where email = $1`,
      [email, `scim:${by}`],
    );
  await assign('bruno@example.com', 'hr');
  await assign('clara@example.com', 'hr-north');
  await go('/connectors');
  const row = page.getByRole('row').filter({ has: page.getByText('hr', { exact: true }) });
  await row.getByRole('link', { name: /who holds them/ }).click();
  await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
  await page
    .getByText(/^1 user/)
    .first()
    .waitFor();
  await page.getByText('bruno@example.com').first().waitFor();
});
