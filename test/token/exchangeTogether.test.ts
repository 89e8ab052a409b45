/** Exchanges at the same moment: their two statements are shared, and each is judged as if it were alone. */
import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { type ExchangeRequest, exchange, inserts } from '../../src/services/tokens/exchange.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { newClient, newHolder } from '../support/records.js';

let app: TestApp;
let client: { clientId: string; clientSecret: string };
let known: Awaited<ReturnType<typeof newHolder>>;
beforeAll(async () => {
  app = await startTestApp();
  client = await newClient(app.context);
  known = await newHolder(app.context, { idpname: 'names', idpid: 'known to the other provider' });
  await use({ userGuid: (await newHolder(app.context)).userGuid }).catch(() => undefined);
});
afterAll(() => app.close());

interface Wanted {
  userGuid?: string;
  profileId?: string;
  claims?: object;
  more?: Partial<ExchangeRequest>;
}
const use = ({ userGuid, profileId = 'none', claims, more }: Wanted) =>
  exchange(app.context, {
    ...client,
    idToken: app.idToken({ sub: userGuid, ...claims }),
    profileId,
    dialect: 'documented',
    ...more,
  });
const reasonOf = (uses: PromiseSettledResult<unknown>[]): unknown[] =>
  uses.map((each) => (each.status === 'fulfilled' ? 'issued' : (each.reason.reason ?? each.reason)));
const holders = (count: number) => Promise.all(Array.from({ length: count }, () => newHolder(app.context)));

it('20 exchanges at once are a few statements, and each is issued for its own user and profile', async () => {
  const wanted = await holders(20);
  app.takeStatements();
  const issued = await Promise.all(wanted.map(use));
  // two, when all ID tokens are verified in the same turn
  expect(app.takeStatements().length).toBeLessThan(20);
  expect(issued.map(({ access_token }) => decodeJwt(access_token))).toMatchObject(
    wanted.map(({ userGuid, profileId }) => ({ sub: userGuid, profileId, roleId: 'member' })),
  );
  const stored = await app.context.sql.rows(
    `select count(*)::int as records, count(u.last_login_date)::int as logins
     from tokens join users u on u.user_guid = tokens.user_id where u.user_guid = any($1)`,
    [wanted.map(({ userGuid }) => userGuid)],
  );
  expect(stored).toEqual([{ records: 20, logins: 20 }]);
});

it('each is refused for its own fault, and the others get their tokens', async () => {
  const [good, other, blocked] = await holders(3);
  await app.context.sql.rows('update users set is_blocked = true where user_guid = $1', [blocked!.userGuid]);
  const uses = await Promise.allSettled([
    use(good!),
    use({ ...good!, profileId: other!.profileId }),
    use(blocked!),
    use({ userGuid: randomUUID() }),
    use({ ...good!, claims: { aud: 'another' } }),
    use({ ...good!, more: { clientSecret: 'wrong' } }),
    use({ ...good!, more: { clientId: 'unknown' } }),
    use({ ...good!, claims: { sub: 'no guid' } }),
    use(known),
    use({ ...known, claims: { iss: app.otherProvider.issuer, sub: 'known to the other provider' } }),
    use(other!),
  ]);
  expect(reasonOf(uses)).toEqual([
    'issued',
    'invalidProfile',
    'invalidProfile',
    'invalidProfile',
    'invalidIdToken',
    'invalidClient',
    'invalidClient',
    'invalidProfile',
    'invalidProfile',
    'issued',
    'issued',
  ]);
});

it('one user who exchanges many times at once gets a record for each', async () => {
  const [holder] = await holders(1);
  const issued = await Promise.all(Array.from({ length: 10 }, () => use(holder!)));
  expect(new Set(issued.map(({ refresh_token }) => refresh_token)).size).toBe(10);
});

it('a record that the database refuses is nobody’s fault but its own', async () => {
  const [holder] = await holders(1);
  const insert = (clientId: string) => {
    const values = {
      ...Object.fromEntries(Object.keys(inserts.ofRecord.types).map((name) => [name, null])),
      token_guid: randomUUID(),
      user_id: holder!.userGuid,
      profile_id: holder!.profileId,
      client_id: clientId,
      token: Buffer.from(randomUUID()),
      created_at: new Date(),
      expires_at: new Date(),
    };
    return app.context.sql.batchedRow(inserts.ofRecord, values);
  };
  const uses = await Promise.allSettled([insert('a'), insert('b'.repeat(101)), insert('c')]);
  expect(uses.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  const stored = await app.context.sql.rows('select client_id from tokens where user_id = $1 order by 1', [
    holder!.userGuid,
  ]);
  expect(stored).toEqual([{ client_id: 'a' }, { client_id: 'c' }]);
});
