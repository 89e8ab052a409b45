/** Lost answers that were given again, as the audit log has them: written past the requests, and whole when a process ends. */
import { randomUUID } from 'node:crypto';
import { issueAdminToken } from '../../src/services/tokens/operatorTokens.js';
import { post, startTestApp } from '../support/app.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';

it('what was given again is in the audit log, once for each client and minute, with how often and of which records', async () => {
  const app = await startTestApp();
  const other = await startTestApp({ DATABASE_URL: app.database.url });
  const clients = [await newClient(app.context), await newClient(app.context)];
  const { userGuid, profileId } = await newHolder(app.context);
  for (const { clientId, clientSecret } of clients) {
    const body = { profileId, client_id: clientId, client_secret: clientSecret };
    for (let session = 0; session < 2; session++) {
      const { json } = await app.post('/token', { ...exchangeBody(app.idToken({ sub: userGuid })), ...body });
      const headers = { 'idempotency-key': `key-${randomUUID()}` };
      for (let time = 0; time < 3; time++)
        await post(`${other.url}/token`, { ...renewalBody(json.refresh_token), ...body }, headers);
    }
  }
  // what is gathered is written at the end
  await other.close();
  const { sql } = app.context;
  expect(
    await sql.rows(`select from audit_events join change_sets using (change_set_id) where action = 'recover'`),
  ).toEqual([]);
  const events = await sql.rows<{
    subject_id: string;
    detail: { count: number; tokenRecords: string[] };
  }>("select subject_id, detail from audit_events where action = 'recover' and subject_type = 'Client'");
  const records = await sql.rows<{ token_guid: string }>('select token_guid from tokens');
  expect(events.map(({ subject_id }) => subject_id).sort()).toEqual(clients.map(({ clientId }) => clientId).sort());
  expect(events.map(({ detail }) => detail.count)).toEqual([4, 4]);
  expect(events.flatMap(({ detail }) => detail.tokenRecords).sort()).toEqual(
    records.map(({ token_guid }) => token_guid).sort(),
  );
  await app.close();
});

it('tokens that are issued make no change set: nothing of the catalogue was changed', async () => {
  const app = await startTestApp();
  const { sql, config } = app.context;
  const before = await sql.rows('select change_set_id from change_sets');
  await issueAdminToken(app.context, { scopes: ['admin:read'], minutes: 5, userGuid: config.systemUserGuid });
  expect(await sql.rows('select change_set_id from change_sets')).toEqual(before);
  expect(await sql.rows("select change_set_id from audit_events where action = 'issue'")).toEqual([
    { change_set_id: null },
  ]);
  await app.close();
});
