/** Steady load on the front address: exchanges, renewals, revocations, administrative changes; all that is answered goes into the ledger. */
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { exchangeBody, renewalBody } from '../support/tokens.js';
import { accessScopeGuid, client, type Gatehouses, profileId, usersCount } from './gatehouses.js';
import { type Chain, type Ledger, note, type Outcome, requireExpected } from './ledger.js';

export interface Answer {
  outcome: Outcome;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: trials look into answers freely
  json: any;
  /** HAProxy had nobody to give the request to. */
  isUnsent: boolean;
}

export interface Caller {
  ask(method: string, path: string, body?: object, token?: string): Promise<Answer>;
  close(): void;
}

const timeoutMs = 60_000;

/** One connection, kept open, as a caller has it. */
export function openCaller(url: string): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask: Caller['ask'] = (method, path, body, token) =>
    new Promise((resolve) => {
      const broken = (error: Error) =>
        resolve({
          outcome: 'broken',
          text: error.message,
          json: undefined,
          isUnsent: error.message.includes('ECONNREFUSED'),
        });
      const headers = {
        'content-type': 'application/json',
        'api-version': '1.0',
        ...(token && { authorization: `Bearer ${token}` }),
      };
      const asked = request(`${url}${path}`, { agent, method, headers, timeout: timeoutMs }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        response.on('error', broken);
        response.on('end', () => {
          const outcome = response.statusCode!;
          const isUnsent = outcome === 503 && text.startsWith('Not available');
          resolve({ outcome, text, json: parse(text), isUnsent });
        });
      });
      asked.on('error', broken).on('timeout', () => asked.destroy(new Error('no answer')));
      asked.end(body && JSON.stringify(body));
    });
  return { ask, close: () => agent.destroy() };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const common = { profileId, client_id: client.clientId, client_secret: client.clientSecret };
export const renew = (caller: Caller, token: string): Promise<Answer> =>
  caller.ask('POST', '/token', { ...common, ...renewalBody(token) });

interface Worker {
  gatehouses: Gatehouses;
  ledger: Ledger;
  caller: Caller;
  isOver(): boolean;
}

const thinkMs = 25;
const retryMs = 200;
const chainLength = 20;

/** Undefined: the load is over. */
async function exchange({ gatehouses, ledger, caller, isOver }: Worker): Promise<string | undefined> {
  while (!isOver()) {
    const idToken = gatehouses.idToken(Math.floor(Math.random() * usersCount));
    const body = { ...common, ...exchangeBody(idToken) };
    const { outcome, json, text } = await caller.ask('POST', '/token', body);
    note(ledger, 'exchange', outcome);
    if (outcome === 200) return json.refresh_token;
    requireExpected(ledger, 'exchange', outcome, text);
    await pause(retryMs);
  }
  return undefined;
}

/** Signs in, renews for a while, and leaves the last token to be tried in the end. */
async function renewOn(worker: Worker): Promise<void> {
  const { ledger, caller, isOver } = worker;
  const token = await exchange(worker);
  if (!token) return;
  const chain: Chain = { token, previous: undefined, inDoubt: false };
  for (let renewals = 0; renewals < chainLength && !isOver(); ) {
    await pause(thinkMs);
    const { outcome, json, text, isUnsent } = await renew(caller, chain.token);
    if (outcome === 401 && chain.inDoubt) {
      ledger.lostAnswers++;
      note(ledger, 'renewal, its answer was lost before:', outcome);
      return;
    }
    note(ledger, 'renewal', outcome);
    if (outcome === 200) {
      Object.assign(chain, { token: json.refresh_token, previous: chain.token, inDoubt: false });
      renewals++;
      continue;
    }
    requireExpected(ledger, 'renewal', outcome, text);
    if (!isUnsent) chain.inDoubt = true;
    await pause(retryMs);
  }
  ledger.chains.push(chain);
}

async function revokeOne(worker: Worker): Promise<void> {
  const { ledger, caller, isOver } = worker;
  const token = await exchange(worker);
  if (!token) return;
  let inDoubt = false;
  while (!isOver()) {
    await pause(thinkMs);
    const { outcome, text, isUnsent } = await caller.ask('POST', '/revoke', { token });
    const isLost = outcome === 404 && inDoubt;
    note(ledger, isLost ? 'revocation, its answer was lost before:' : 'revocation', outcome);
    if (outcome === 200 || isLost) {
      ledger.revoked.push(token);
      return;
    }
    requireExpected(ledger, 'revocation', outcome, text);
    if (!isUnsent) inDoubt = true;
    await pause(retryMs);
  }
}

const changesPerApplication = 5;

/** An application, a mapping of it, and changes of that. */
async function administer({ gatehouses, ledger, caller, isOver }: Worker): Promise<void> {
  const change = async (kind: string, method: string, path: string, body: object): Promise<Answer> => {
    await pause(thinkMs * 2);
    const answer = await caller.ask(method, path, body, gatehouses.adminToken);
    note(ledger, kind, answer.outcome);
    if (answer.outcome !== 200) await pause(retryMs);
    return answer;
  };
  const fields = { iconDefault: 'i', iconHover: 'i', appType: 'web', renderingMode: 'full', linkType: 'internal' };
  const created = await change('application', 'POST', '/api/applications', {
    ...fields,
    name: `Trial ${randomUUID()}`,
  });
  if (created.outcome !== 200) return requireExpected(ledger, 'application', created.outcome, created.text);
  const application = {
    applicationGuid: created.json.applicationGuid as string,
    isMapped: false,
    links: [] as string[],
  };
  ledger.applications.push(application);
  const path = `/api/applications/${application.applicationGuid}/accessScopes`;
  let inDoubt = false;
  while (!application.isMapped && !isOver()) {
    const { outcome, text, isUnsent } = await change('mapping', 'POST', path, [
      { accessScopeGuid, individualExternalLink: '0' },
    ]);
    // it is there already, of the time whose answer was lost
    application.isMapped = outcome === 200 || (outcome === 409 && inDoubt);
    if (!application.isMapped) requireExpected(ledger, 'mapping', outcome, text);
    if (outcome !== 200 && !isUnsent) inDoubt = true;
  }
  application.links = ['0'];
  for (let link = 1; link <= changesPerApplication && !isOver(); link++) {
    const body = [{ accessScopeGuid, individualExternalLink: String(link) }];
    const { outcome, text } = await change('change', 'PATCH', path, body);
    if (outcome !== 200) requireExpected(ledger, 'change', outcome, text);
    application.links = outcome === 200 ? [String(link)] : [...application.links, String(link)];
  }
}

export interface Load {
  ledger: Ledger;
  /** Resolves when the last request has its answer. */
  stop(): Promise<void>;
}

const kinds = [renewOn, renewOn, renewOn, renewOn, renewOn, renewOn, revokeOne, administer, administer];
/** As many requests at most can be under way. */
export const callersCount = kinds.length;

export function startLoad(gatehouses: Gatehouses, ledger: Ledger): Load {
  let over = false;
  const workers = kinds.map(async (work) => {
    const caller = openCaller(gatehouses.url);
    while (!over) await work({ gatehouses, ledger, caller, isOver: () => over });
    caller.close();
  });
  return {
    ledger,
    stop: async () => {
      over = true;
      await Promise.all(workers);
    },
  };
}
