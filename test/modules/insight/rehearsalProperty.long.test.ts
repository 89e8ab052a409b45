/**
 * What the rehearsal counts is what the hardened policy answers: random schedules of several clients, each request asked of a
 * service of each policy from the same state. GATEHOUSE_SCHEDULES plays more, GATEHOUSE_SEED the same again.
 */
import bcrypt from 'bcrypt';
import fc from 'fast-check';
import { decodeJwt } from 'jose';
import { assertionFor, assertionJwks } from '../../support/assertions.js';
import { pair, proofFor } from '../../support/dpopProofs.js';
import { linkProfile, newClient, newHolder, newProfile } from '../../support/records.js';
import { factor, seed } from '../../support/schedules.js';
import { exchangeBody, renewalBody } from '../../support/tokens.js';
import {
  lastingOf,
  type Outcome,
  type Request,
  shapeOf,
  startThreeServices,
  type ThreeServices,
  type Verdict,
  withoutTraceId,
} from './rehearsalWorld.js';

interface Command {
  kind:
    | 'exchange'
    | 'renew'
    | 'reuse'
    | 'revoke'
    | 'validate'
    | 'introspect'
    | 'expire'
    | 'block'
    | 'activate'
    | 'end'
    | 'bind';
  isForm: boolean;
  /** 0 to 2; 3 is known to nobody. */
  client: number;
  /** `before`: the secret before a rotation; `keys`: an assertion, in forms. */
  credentials: 'right' | 'before' | 'keys' | 'wrong' | 'idAlone' | 'none';
  /** Which of the tokens, from the newest back. */
  which: number;
  isOtherProfile: boolean;
  /** 0: no Idempotency-Key. */
  key: number;
  /** With a proof of which key; 0: none. */
  proof: number;
  flag: boolean;
}

const mostly = <T>(usual: T, ...others: T[]) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(usual) }, { weight: 2, arbitrary: fc.constantFrom(...others) });
const commands = fc.record<Command>({
  kind: fc.constantFrom<Command['kind'][]>(
    ...(['exchange', 'exchange', 'renew', 'renew', 'renew', 'renew', 'renew', 'revoke', 'revoke'] as const),
    ...([
      'reuse',
      'reuse',
      'validate',
      'validate',
      'introspect',
      'expire',
      'block',
      'activate',
      'end',
      'bind',
    ] as const),
  ),
  isForm: fc.boolean(),
  client: mostly(0, 1, 2, 3),
  credentials: mostly<Command['credentials']>('right', 'before', 'keys', 'wrong', 'idAlone', 'none'),
  which: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(4) }),
  isOtherProfile: mostly(false, true),
  key: mostly(0, 1, 2),
  proof: mostly(0, 1, 2),
  flag: fc.boolean(),
});
const first: Command = {
  kind: 'exchange',
  isForm: false,
  client: 0,
  credentials: 'right',
  which: 0,
  isOtherProfile: false,
  key: 0,
  proof: 0,
  flag: false,
};
/** Each verdict once at least, whatever the others are made of. */
const eachVerdict: Command[] = [
  first,
  { ...first, kind: 'renew', client: 1 },
  { ...first, kind: 'renew', isOtherProfile: true },
  { ...first, kind: 'reuse', which: 1 },
  { ...first, kind: 'validate', credentials: 'none' },
  { ...first, kind: 'validate', credentials: 'wrong' },
  { ...first, kind: 'revoke', client: 1 },
];
const pairs = [undefined, pair(), pair()];
const before = (secret: string): string => `${secret} before`;
/** A client with a secret before its present one, and with keys. @param seconds until that one ends */
const rotated = async (secret: string, seconds: number) => ({
  previous_secret: await bcrypt.hash(before(secret), 4),
  previous_secret_ends_at: new Date(Date.now() + seconds * 1_000),
  jwks: assertionJwks,
});
const schedules = fc.array(commands, { minLength: 4, maxLength: 14, size: 'max' });

/** Why hardened the request is refused, or its session ends, where documented it is not, or otherwise. */
function expectedVerdict(
  { path, body }: Request,
  { hardened, rehearsal }: Record<'hardened' | 'rehearsal', Outcome>,
): string {
  const isEnded = ({ records }: Outcome) => [...records.values()].some(({ revoked_by }) => revoked_by === 'reuse');
  const revoked = ({ records }: Outcome) => [...records.values()].filter(({ is_revoked }) => is_revoked).length;
  if (isEnded(hardened) && !isEnded(rehearsal)) return 'reuse';
  const { answer, detail = '' } = hardened;
  if (path === '/introspect')
    return answer.json?.active === false && rehearsal.answer.json?.active === true ? 'anotherClient' : 'passed';
  if (path === '/revoke' && revoked(hardened) < revoked(rehearsal) && answer.status !== 401) return 'anotherClient';
  const isOther =
    answer.status !== rehearsal.answer.status || withoutTraceId(answer.text) !== withoutTraceId(rehearsal.answer.text);
  if (answer.status < 400 || !isOther) return 'passed';
  if (detail === 'no client credentials') return 'noCredentials';
  if (/^(wrong secret|unknown client|inactive client)$/.test(detail)) return 'wrongCredentials';
  if (detail === 'of another client') return 'anotherClient';
  if (/exchanged for this profile before/.test(detail)) return 'repeatedIdToken';
  // a repetition by its key is recovered for the record's client and profile alone
  if (/^used: /.test(detail)) {
    const [guid] = String(decodeJwt(body.refresh_token!).jti).split('.');
    const owner = rehearsal.records.get(guid!)!.client_id;
    return owner !== null && owner !== body.client_id ? 'anotherClient' : 'anotherProfile';
  }
  if (detail === 'of another profile than asked for') return 'anotherProfile';
  // within RENEWAL_RECOVERY_SECONDS hardened recovers the renewal and refuses its scope; documented refuses the used token
  const isScopeRefused = detail === 'a scope that the profile or the session does not have';
  if (isScopeRefused && rehearsal.answer.status === 400 && /^used: /.test(rehearsal.detail ?? '')) return 'passed';
  return `${answer.status} ${detail}`;
}

describe.each([
  ['all clients are documented', null],
  ['one client is hardened already', 'hardened'],
])(`GATEHOUSE_SEED=${seed}: where %s`, (_name, policy) => {
  let services: ThreeServices;
  let third: string | undefined;
  const isHardened = (clientId: string | undefined) => policy !== null && clientId === third;
  const counts = new Map<string, number>();
  beforeAll(async () => {
    services = await startThreeServices(policy === null);
  });
  afterAll(() => services?.close());

  async function makeWorld() {
    const { app } = services;
    const { context } = app;
    await context.sql.rows('delete from tokens');
    const clients = [
      await newClient(context, 'first secret', await rotated('first secret', 60)),
      // the one before is good no more
      await newClient(context, 'second secret', await rotated('second secret', -60)),
      await newClient(context, 'third secret', { ...(await rotated('third secret', 60)), policy }),
      { clientId: 'nobody', clientSecret: 'no secret' },
    ];
    third = clients[2]!.clientId;
    const { userGuid, userId, profileId } = await newHolder(context);
    const other = await newProfile(context);
    await linkProfile(context, userId, other, 'member');
    const idTokens = [app.idToken({ sub: userGuid })];
    const renewals: string[] = [];
    const used: string[] = [];
    const accesses: string[] = [];
    const newest = (list: string[], back: number) => list.at(-1 - (back % Math.max(list.length, 1))) ?? 'unknown';

    const credentialsOf = ({ client, credentials, isForm, kind }: Command): Record<string, string> => {
      const { clientId: client_id, clientSecret } = clients[client]!;
      if (credentials === 'none') return {};
      if (credentials === 'idAlone') return { client_id };
      if (credentials === 'keys' && (isForm || kind === 'introspect') && kind !== 'validate')
        return { client_id, ...assertionFor(client_id, app.url) };
      if (credentials === 'before') return { client_id, client_secret: before(clientSecret) };
      return { client_id, client_secret: credentials === 'wrong' ? 'wrong secret' : clientSecret };
    };

    async function requestOf(command: Command): Promise<Request | undefined> {
      const { kind, which, isForm, key, isOtherProfile, flag } = command;
      const profile = isOtherProfile ? other : profileId;
      // at /token a client that isn't known is told before anything that the policies differ in
      const isNamed = command.credentials !== 'idAlone' && command.credentials !== 'none';
      const own = credentialsOf(isNamed ? command : { ...command, credentials: 'right' });
      const proof =
        command.proof === 0 ? undefined : await proofFor(`${app.url}/token`, 'POST', { key: pairs[command.proof]! });
      if (kind === 'exchange') {
        if (flag) idTokens.push(app.idToken({ sub: userGuid }));
        const body = { ...exchangeBody(newest(idTokens, which)), profileId: profile, ...own };
        return { path: '/token', isForm, body, proof };
      }
      if (kind === 'renew' || kind === 'reuse') {
        const narrowed = isForm && which === 1 ? { scope: 'never:held' } : {};
        const named = isForm && flag ? {} : { profileId: profile };
        const idempotencyKey = key === 0 ? undefined : `the-key-of-a-renewal-${key}`;
        const body = {
          ...renewalBody(newest(kind === 'renew' ? renewals : used, which)),
          ...named,
          ...own,
          ...narrowed,
        } as Request['body'];
        return { path: '/token', isForm, body, idempotencyKey, proof };
      }
      const token = newest(flag && kind !== 'revoke' ? accesses : renewals, which);
      const given = credentialsOf(command);
      if (kind === 'revoke') return { path: '/revoke', isForm, body: { token, ...given } };
      if (kind === 'validate')
        return { path: '/validate-token', isForm: false, body: { token: newest(accesses, which), ...given } };
      if (kind === 'introspect') return { path: '/introspect', isForm: true, body: { token, ...given } };
      return undefined;
    }

    const change = ({ kind, flag, client }: Command) => {
      const { sql } = context;
      if (kind === 'expire')
        return sql.rows("update tokens set expires_at = now() - interval '1 second' where user_id = $1", [userGuid]);
      if (kind === 'end')
        return sql.rows('update tokens set is_revoked = true, revoked_at = now() where user_id = $1', [userGuid]);
      if (kind === 'bind')
        return sql.rows('update clients set dpop_required = $2 where client_id = $1', [
          clients[client]!.clientId,
          flag,
        ]);
      if (kind === 'block') return sql.rows('update users set is_blocked = $2 where user_guid = $1', [userGuid, flag]);
      return sql.rows('update clients set is_active = $2 where client_id = $1', [clients[client]!.clientId, flag]);
    };

    async function play(command: Command): Promise<void> {
      const request = await requestOf(command);
      if (!request) {
        await change(command);
        return;
      }
      const { path, isForm, body } = request;
      const isOfHardened = isHardened(body.client_id) || (await isOfHardenedRecord());
      const { outcomes, verdicts } = await services.ask(request, !isForm && path !== '/token' && !isOfHardened);
      judge(request, outcomes, verdicts, isOfHardened);
      const { json } = outcomes.rehearsal.answer;
      if (json?.refresh_token) {
        if (body.refresh_token) used.push(body.refresh_token);
        renewals.push(json.refresh_token);
        accesses.push(json.access_token);
      }
    }

    /** A record of the hardened client, or a token of its session, is judged as hardened by all. */
    async function isOfHardenedRecord(): Promise<boolean> {
      const rows = await context.sql.rows('select 1 from tokens where client_id = $1', [clients[2]!.clientId]);
      return policy !== null && rows.length > 0;
    }
    await play({ ...first, client: 0 });
    await play({ ...first, client: 1, flag: true });
    return { play };
  }

  function judge(
    request: Request,
    outcomes: Parameters<typeof expectedVerdict>[1] & { documented: Outcome },
    verdicts: Verdict[],
    isOfHardened: boolean,
  ): void {
    const { documented, rehearsal } = outcomes;
    if (policy === null) {
      expect(shapeOf(rehearsal.answer)).toEqual(shapeOf(documented.answer));
      const sorted = ({ records }: Outcome) => [...records.values()].map(lastingOf).map(String).sort();
      expect(sorted(rehearsal)).toEqual(sorted(documented));
    }
    expect(verdicts.length).toBeLessThanOrEqual(1);
    const { verdict = 'passed', clientId } = verdicts[0] ?? {};
    const expected = expectedVerdict(request, outcomes);
    // who is hardened already is answered so, and of it nothing is counted
    if (!isOfHardened || verdicts.length > 0)
      expect({ ...request, verdict }).toEqual({ ...request, verdict: expected });
    else if (isHardened(request.body.client_id)) expect(rehearsal.answer.status).toBe(outcomes.hardened.answer.status);
    if (request.path === '/token' && verdicts.length > 0) expect(clientId).toBe(request.body.client_id);
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  }

  it('for each request the rehearsal counts what the hardened policy answers, and answers what the documented one does', async () => {
    const property = fc.asyncProperty(schedules, async (schedule) => {
      const { play } = await makeWorld();
      for (const command of schedule) await play(command);
    });
    await fc.assert(property, { numRuns: (policy === null ? 12 : 5) * factor, seed, examples: [[eachVerdict]] });
    if (policy === null)
      expect([...counts.keys()].sort()).toEqual(
        [
          'anotherClient',
          'anotherProfile',
          'noCredentials',
          'passed',
          'repeatedIdToken',
          'reuse',
          'wrongCredentials',
        ].sort(),
      );
  });
});
