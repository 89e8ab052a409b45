/**
 * Three services on one database, each with another token policy, that are asked the same from the same state: what a request
 * may touch is copied before, and put back between them. The one in rehearsal is asked last, so its answer goes on.
 */
import { decodeJwt } from 'jose';
import { type RunningApp, startApp } from '../../../src/startApp.js';
import { type Answer, readAnswer, startTestApp, type TestApp } from '../../support/app.js';
import { closeAtEnd } from '../../support/lifetimes.js';

const policies = ['hardened', 'documented', 'rehearsal'] as const;
type Policy = (typeof policies)[number];

export interface Request {
  path: string;
  isForm: boolean;
  body: Record<string, string>;
  idempotencyKey?: string | undefined;
  /** Header of DPoP. */
  proof?: string | undefined;
}

/** What a request came to. */
export interface Outcome {
  answer: Answer;
  /** Why it was refused, as the log has it. */
  detail: string | undefined;
  /** The records afterwards, by guid. */
  records: Map<string, Record_>;
}
type Record_ = Record<string, unknown>;

export interface Verdict {
  clientId: string;
  operation: string;
  verdict: string;
}

export interface ThreeServices {
  app: TestApp;
  /** Asks all three, and what the one in rehearsal noted. @param waits whether a verdict will come for sure */
  ask(request: Request, waits: boolean): Promise<{ outcomes: Record<Policy, Outcome>; verdicts: Verdict[] }>;
  close(): Promise<void>;
}

/** @param forgetsLearnt whether the documented service is asked without what the rehearsal learnt */
export async function startThreeServices(forgetsLearnt: boolean): Promise<ThreeServices> {
  const app = await startTestApp({ TOKEN_POLICY: 'rehearsal', RENEWAL_RECOVERY_SECONDS: '60', LOG_LEVEL: 'silent' });
  const { config, sql, log } = app.context;
  const others: RunningApp[] = [];
  const start = async (tokenPolicy: Policy) => {
    const running = await startApp({
      config: { ...config, port: 0, issuerUrl: app.url, tokenPolicy },
      notice: () => undefined,
      log,
    });
    others.push(running);
    return running;
  };
  const services = { hardened: await start('hardened'), documented: await start('documented'), rehearsal: app.running };
  const details: string[] = [];
  for (const { dependencies } of Object.values(services))
    dependencies.refusalRecorder.note = ({ detail }) => details.push(detail);
  let verdicts: Verdict[] = [];
  let noted: () => void = () => undefined;
  app.running.dependencies.rehearsal!.note = (clientId, operation, verdict) => {
    verdicts.push({ clientId, operation, verdict });
    noted();
  };

  const copy = async () => {
    const [row] = await sql.rows<{ copy: string }>(
      `select json_build_object(${touched
        .map((table) => `'${table}', (select coalesce(json_agg(${table}), '[]') from ${table})`)
        .join(', ')})::text as copy`,
    );
    return row!.copy;
  };
  const putBack = (state: string) =>
    sql.transaction(async (inside) => {
      for (const table of touched) {
        await inside.rows(`delete from ${table}`);
        await inside.rows(
          `insert into ${table} select * from json_populate_recordset(null::${table}, $1::json -> '${table}')`,
          [state],
        );
      }
    });
  const askOne = async (policy: Policy, request: Request): Promise<Outcome> => {
    details.length = 0;
    const answer = await send(services[policy].url, request);
    const rows = await sql.rows<Record_>('select * from tokens');
    return { answer, detail: details[0], records: new Map(rows.map((row) => [row.token_guid as string, row])) };
  };

  return {
    app,
    async ask(request, waits) {
      const before = await copy();
      const hardened = await askOne('hardened', request);
      await putBack(before);
      if (forgetsLearnt) await sql.rows('update tokens set client_id = null where created_by_ip is null');
      const documented = await askOne('documented', request);
      await putBack(before);
      verdicts = [];
      const isNoted = new Promise<void>((resolve) => {
        noted = resolve;
      });
      const rehearsal = await askOne('rehearsal', request);
      if (waits) await isNoted;
      return { outcomes: { hardened, documented, rehearsal }, verdicts };
    },
    close: closeAtEnd(async () => {
      for (const other of others) await other.close();
      await app.close();
    }),
  };
}

/** The tables of which the policies differ in what they write. */
const touched = ['tokens', 'id_token_uses', 'provider_sessions', 'single_uses'];

async function send(url: string, { path, isForm, body, idempotencyKey, proof }: Request): Promise<Answer> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: {
      ...(!isForm && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...(proof !== undefined && { dpop: proof }),
    },
    body: isForm ? new URLSearchParams(body) : JSON.stringify(body),
  });
  return readAnswer(response);
}

/** The text of an answer without its trace id. */
export const withoutTraceId = (text: string): string => text.replace(/"traceId":"\w+"|trace id \w+/g, '');

/** An answer but for what is new in each: of tokens their claims, without times and names. */
export function shapeOf({ status, headers, text, json }: Answer): unknown {
  const kind = [status, headers.get('content-type'), headers.get('www-authenticate')];
  if (json?.access_token === undefined) return [...kind, withoutTraceId(text)];
  const { access_token, refresh_token, ...others } = json;
  const { iat: _i, exp: _e, jti, ...claims } = decodeJwt(access_token);
  return [...kind, others, claims, jti !== undefined, Object.keys(decodeJwt(refresh_token)).sort()];
}

/** A record but for what is new in each, and for the client that the rehearsal learnt. */
export const lastingOf = ({
  generation,
  is_revoked,
  revoked_by,
  renewal_key,
  profile_id,
  created_by_ip,
  audience,
  scope,
  jkt,
}: Record_): unknown => [
  generation,
  is_revoked,
  revoked_by,
  String(renewal_key),
  profile_id,
  created_by_ip,
  audience,
  scope,
  jkt,
];
