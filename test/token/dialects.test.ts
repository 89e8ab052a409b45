/** One engine, two presenters: the same case is judged alike in both dialects, by each told in its own words, and leaves the same behind. */
import { randomUUID } from 'node:crypto';
import { decodeProtectedHeader } from 'jose';
import { renewalTokenHash } from '../../src/auth/tokenFormat.js';
import { type Answer, nowSeconds, readAnswer, startTestApp, type TestApp } from '../support/app.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';

interface Client {
  clientId: string;
  clientSecret: string;
}
type Fields = Record<string, string>;

/** Who sends what: with one way to name the client. */
const presenters = {
  'the documented dialect': (path: string, fields: Fields, { clientId, clientSecret }: Client) =>
    app.post(path, { ...fields, client_id: clientId, client_secret: clientSecret }),
  'a form with HTTP Basic': (path: string, fields: Fields, { clientId, clientSecret }: Client) =>
    sendForm(path, fields, {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
    }),
  'a form with the client in it': (path: string, fields: Fields, { clientId, clientSecret }: Client) =>
    sendForm(path, { ...fields, client_id: clientId, client_secret: clientSecret }, {}),
};
type Presenter = keyof typeof presenters;

async function sendForm(path: string, fields: Fields, headers: Fields): Promise<Answer> {
  return readAnswer(await fetch(app.url + path, { method: 'POST', headers, body: new URLSearchParams(fields) }));
}

const invalidGrant =
  '{"error":"invalid_grant","error_description":"the token is unknown, used, expired or revoked, or was issued to another client or audience, or its user may not use it; an administrator finds the cause by the trace id TRACE"}';
/** The same for every cause but for the trace id, which the header has too. */
const withoutTrace = ({ text, headers }: Answer) => text.replace(headers.get('trace-id') ?? 'none', 'TRACE');

/** What each dialect says of a judgement: status and body, of a success its members. */
const expected = {
  issued: [
    [200, 'access_token,refresh_token,token_type,expires_in'],
    [200, 'access_token,refresh_token,token_type,expires_in'],
  ],
  invalidClient: [
    [401, '{"error":"Invalid client credentials"}'],
    [
      401,
      '{"error":"invalid_client","error_description":"the client is unknown or inactive, or its secret, key or assertion is not valid, or not sent as HTTP Basic, client_secret or client_assertion; an administrator finds the cause by the trace id TRACE"}',
    ],
  ],
  invalidIdToken: [
    [401, ''],
    [400, invalidGrant],
  ],
  invalidRenewalToken: [
    [401, ''],
    [400, invalidGrant],
  ],
  invalidProfile: [
    [400, 'Invalid profile'],
    [400, '{"error":"invalid_target","error_description":"the user does not hold this profile"}'],
  ],
  unsupportedGrant: [
    [400, 'Unsupported grant_type'],
    [400, '{"error":"unsupported_grant_type","error_description":"grant_type is not supported"}'],
  ],
  revoked: [
    [200, '{"status":"success"}'],
    [200, ''],
  ],
  // RFC 7009 §2.2: whether there was such a token is nobody's business
  notFound: [
    [404, '{"status":"token_not_found_or_already_revoked"}'],
    [200, ''],
  ],
} as const;
type Judgement = keyof typeof expected;

let app: TestApp;
let client: Client;
let stranger: Client;

interface Holding {
  userGuid: string;
  userId: number;
  profileId: string;
}
interface Session extends Holding {
  token: string;
}
const exchangeOf = ({ userGuid, profileId }: Holding, claims: object = {}): Fields => ({
  ...exchangeBody(app.idToken({ sub: userGuid, ...claims })),
  profileId,
});
const renewalOf = ({ token, profileId }: Pick<Session, 'token' | 'profileId'>): Fields => ({
  ...renewalBody(token),
  profileId,
});
async function signIn(): Promise<Session> {
  const holding = await newHolder(app.context);
  const { json } = await presenters['the documented dialect']('/token', exchangeOf(holding), client);
  return { ...holding, token: json.refresh_token };
}
const change = (statement: string, value: unknown) => app.context.sql.rows(statement, [value]);
const ofUser = (session: Session, statement: string) => change(`${statement} where user_id = $1`, session.userGuid);

interface Case {
  path: '/token' | '/revoke';
  fields: Fields;
  client?: Client;
  judged: Judgement;
  /** Whose records tell what is left; none: nobody's. */
  session?: Holding;
}
const use = (session: Session, judged: Judgement, more: Partial<Case> = {}): Case => ({
  path: '/token',
  fields: renewalOf(session),
  judged,
  session,
  ...more,
});
const take = (holding: Holding, judged: Judgement, fields: Fields = exchangeOf(holding)): Case => ({
  path: '/token',
  fields,
  judged,
  session: holding,
});
const end = (session: Session, judged: Judgement, more: Partial<Case> = {}): Case => ({
  path: '/revoke',
  fields: { token: session.token },
  judged,
  session,
  ...more,
});
const wrong = (): Client => ({ ...client, clientSecret: 'wrong' });
const isHardened = (): boolean => app.context.config.tokenPolicy === 'hardened';

const cases: Record<string, () => Promise<Case>> = {
  'an exchange': async () => take(await newHolder(app.context), 'issued'),
  'an exchange with a wrong secret': async () => ({
    ...take(await newHolder(app.context), 'invalidClient'),
    client: wrong(),
  }),
  'an exchange by an unknown client': async () => ({
    ...take(await newHolder(app.context), 'invalidClient'),
    client: { clientId: 'nobody', clientSecret: 'x' },
  }),
  'an exchange by an inactive client': async () => ({
    ...take(await newHolder(app.context), 'invalidClient'),
    client: await newClient(app.context, 'secret', { is_active: false }),
  }),
  'an ID token that is expired': async () => {
    const holding = await newHolder(app.context);
    return take(holding, 'invalidIdToken', exchangeOf(holding, { exp: nowSeconds() - 31 }));
  },
  'an ID token for another': async () => {
    const holding = await newHolder(app.context);
    return take(holding, 'invalidIdToken', exchangeOf(holding, { aud: 'another' }));
  },
  'an ID token that is none': async () => {
    const holding = await newHolder(app.context);
    return take(holding, 'invalidIdToken', { ...exchangeOf(holding), id_token: 'a.b.c' });
  },
  'a profile that is not held': async () => {
    const [holding, other] = [await newHolder(app.context), await newHolder(app.context)];
    return take(holding, 'invalidProfile', { ...exchangeOf(holding), profileId: other.profileId });
  },
  'a user whom nobody knows': async () => {
    const holding = await newHolder(app.context);
    return take(holding, 'invalidProfile', exchangeOf(holding, { sub: randomUUID() }));
  },
  'a user who is blocked': async () => {
    const holding = await newHolder(app.context);
    await change('update users set is_blocked = true where user_guid = $1', holding.userGuid);
    return take(holding, 'invalidProfile');
  },
  'a grant that there is not': async () => ({
    path: '/token',
    fields: { grant_type: 'password', profileId: 'p' },
    judged: 'unsupportedGrant',
  }),
  'a grant that there is not, with a wrong secret': async () => ({
    path: '/token',
    fields: { grant_type: 'password', profileId: 'p' },
    judged: 'invalidClient',
    client: wrong(),
  }),
  'a renewal': async () => use(await signIn(), 'issued'),
  'a renewal with a wrong secret': async () => use(await signIn(), 'invalidClient', { client: wrong() }),
  'a renewal by another client': async () =>
    use(await signIn(), isHardened() ? 'invalidRenewalToken' : 'issued', { client: stranger }),
  'a token that nobody issued': async () =>
    use({ ...(await signIn()), token: `unknown ${randomUUID()}` }, 'invalidRenewalToken'),
  'a token that was changed': async () => {
    const session = await signIn();
    return use({ ...session, token: `${session.token.slice(0, -4)}AAAA` }, 'invalidRenewalToken');
  },
  'a token that was used': async () => {
    const session = await signIn();
    await presenters['the documented dialect']('/token', renewalOf(session), client);
    return use(session, 'invalidRenewalToken');
  },
  'a token that was revoked': async () => {
    const session = await signIn();
    await ofUser(session, 'update tokens set is_revoked = true, revoked_at = now()');
    return use(session, 'invalidRenewalToken');
  },
  'a token that is expired': async () => {
    const session = await signIn();
    await ofUser(session, 'update tokens set expires_at = now()');
    return use(session, 'invalidRenewalToken');
  },
  'a token of a blocked user': async () => {
    const session = await signIn();
    await change('update users set is_blocked = true where user_guid = $1', session.userGuid);
    return use(session, 'invalidRenewalToken');
  },
  'a token of a user who lost the profile': async () => {
    const session = await signIn();
    await change('delete from user_profiles where user_id = $1', session.userId);
    return use(session, 'invalidRenewalToken');
  },
  'an access token in place of a renewal token': async () => {
    const session = await signIn();
    const { json } = await presenters['the documented dialect']('/token', renewalOf(session), client);
    return use({ ...session, token: json.access_token }, 'invalidRenewalToken');
  },
  'a revocation': async () => end(await signIn(), 'revoked'),
  'a revocation of what is revoked': async () => {
    const session = await signIn();
    await ofUser(session, 'update tokens set is_revoked = true, revoked_at = now()');
    return end(session, 'notFound');
  },
  'a revocation of what is expired': async () => {
    const session = await signIn();
    await ofUser(session, 'update tokens set expires_at = now()');
    return end(session, 'notFound');
  },
  'a revocation of what nobody issued': async () => end({ ...(await signIn()), token: 'unknown' }, 'notFound'),
  'a revocation by another client': async () =>
    end(await signIn(), isHardened() ? 'notFound' : 'revoked', { client: stranger }),
};

/** What stands in the records of the user, without what is new each time. */
async function leftOf({ userGuid }: Holding, presented: string | undefined): Promise<object[]> {
  return app.context.sql.rows(
    `select generation, is_revoked, revoked_by_ip, client_id, created_by_ip, token = $2 as is_presented,
       revoked_at is not null as was_revoked, round(extract(epoch from expires_at - created_at)) as lives
     from tokens where user_id = $1 order by id`,
    [userGuid, renewalTokenHash(presented ?? '')],
  );
}

describe.each(['documented', 'hardened'])('under the %s policy', (policy) => {
  beforeAll(async () => {
    app = await startTestApp({ TOKEN_POLICY: policy });
    [client, stranger] = [await newClient(app.context), await newClient(app.context)];
  });
  afterAll(() => app.close());

  it.each(Object.keys(cases))('%s', async (name) => {
    const left: object[][] = [];
    for (const [index, presenter] of (Object.keys(presenters) as Presenter[]).entries()) {
      const { path, fields, judged, session, client: who = client } = await cases[name]!();
      const answer = await presenters[presenter](path, fields, who);
      const { status, json, headers } = answer;
      const [expectedStatus, body] = expected[judged][index === 0 ? 0 : 1];
      const seen = judged === 'issued' ? Object.keys(json).join() : withoutTrace(answer);
      expect([presenter, status, seen]).toEqual([presenter, expectedStatus, body]);
      // Spring and Nimbus accept no other typ than JWT unless they are configured
      if (judged === 'issued')
        expect(decodeProtectedHeader(json.access_token).typ).toBe(policy === 'hardened' ? 'at+jwt' : 'JWT');
      expect([presenter, headers.get('cache-control')]).toEqual([presenter, 'no-store']);
      left.push(session ? await leftOf(session, fields.refresh_token ?? fields.token) : []);
    }
    // forms are answered by the same functions, so what is left is the same too
    expect(left.slice(1)).toEqual([left[0], left[0]]);
  });

  it('nothing but its own form tells a token that existed from one that never did', async () => {
    const refusals = Object.keys(cases).filter((name) => /^a token|in place of a renewal/.test(name));
    for (const presenter of Object.keys(presenters) as Presenter[]) {
      const seen = new Set<string>();
      for (const name of refusals) {
        const { path, fields } = await cases[name]!();
        const answer = await presenters[presenter](path, fields, client);
        const { status, headers } = answer;
        const { date: _date, 'trace-id': _traceId, ...others } = Object.fromEntries(headers);
        seen.add(JSON.stringify([status, withoutTrace(answer), others]));
      }
      expect([presenter, refusals.length, seen.size]).toEqual([presenter, 8, 1]);
    }
  });
});
