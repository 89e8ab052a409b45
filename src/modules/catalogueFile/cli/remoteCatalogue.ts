/** Plans and applies a catalogue file over the graph of a running service, for pipelines that hold neither database nor keys. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../../../cli/command.js';
import { version } from '../../../config/config.js';
import { hasCredentials } from '../../../config/parsers.js';
import { GatehouseError, OperatorError, type Problems } from '../../../errors.js';
import { isJsonObject, type JsonObject } from '../../../jsonObject.js';
import type { FileOptions, FilePlan } from '../applyFile.js';

interface Remote {
  /** The address of /graphql. */
  endpoint: URL;
  headers: Record<string, string>;
}

type Options = Record<string, string | undefined>;

const answerTimeoutMs = 600_000;
const answerBytesMax = 256 * 1024 * 1024;

/**
 * Returns where to send requests and as whom; undefined without --url. Throws UsageError and OperatorError.
 * @param startedIn the operator's folder, to which paths are relative
 */
export function remoteOf(options: Options, startedIn: string): Remote | undefined {
  const { url, 'token-file': file, 'id-token-env': variable, profile } = options;
  if (url === undefined) {
    const unused = ['token-file', 'id-token-env', 'profile'].find((name) => options[name] !== undefined);
    if (unused) throw new UsageError(`--${unused} needs --url.`, 1);
    return undefined;
  }
  const address = URL.parse(url);
  const isHttp = address?.protocol === 'https:' || address?.protocol === 'http:';
  if (!isHttp || hasCredentials(address) || address.search || address.hash)
    throw new UsageError('--url must be the address of a Gatehouse, such as https://auth.example.com.', 1);
  // the token must not cross a network in plain text
  if (address.protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(address.hostname))
    throw new UsageError('--url must begin with https: the token would be readable on the network.', 1);
  if ((file === undefined) === (variable === undefined))
    throw new UsageError('--url needs either --token-file or --id-token-env.', 1);
  if (variable !== undefined && profile === undefined)
    throw new UsageError('--id-token-env needs --profile: the profile in which the pipeline acts.', 1);
  const token = file === undefined ? readVariable(variable!) : readTokenFile(file, startedIn);
  return {
    endpoint: new URL(`${address.pathname.replace(/\/$/, '')}/graphql`, address),
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': `gatehouse/${version}`,
      ...(profile !== undefined && { 'gatehouse-profile': profile }),
    },
  };
}

function readVariable(name: string): string {
  const token = process.env[name]?.trim();
  if (!token) throw new OperatorError(`The variable ${name} is empty or not set: it must hold the ID token.`);
  return requireToken(token, `The variable ${name}`);
}

function readTokenFile(file: string, startedIn: string): string {
  try {
    return requireToken(readFileSync(resolve(startedIn, file), 'utf8').trim(), file);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`${file} can't be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
}

/** A token must not contain a character that ends the header. */
function requireToken(token: string, place: string): string {
  if (!/^[A-Za-z0-9._~+/-]+=*$/.test(token)) throw new OperatorError(`${place} holds no token.`);
  return token;
}

/** Maximum number of applications that an item of the effect lists. */
export const itemApplicationsMax = 100;
const counts = 'applications scopes pairs profiles users sessions';
const side = `{ ${counts} items(first: 100) { nodes { user { userGuid } profile { profileId } applications(first: ${itemApplicationsMax}) { applicationGuid } scopes } } }`;
// in the order of the local plan, so that --json prints the same bytes
const hand = '{ changeSetGuid actor face note occurredAt actorName }';
const planFields = `managedBy hash changeSetGuid summary { created updated removed unlisted }
  changes { list action key name fields { field before after changedByHand ${hand} } removedByHand ${hand} }
  effect { gains ${side} loses ${side} tokens { profiles users sessions } }`;
const variables = '$file: JSON!, $managedBy: String, $prune: Boolean!, $takeOver: Boolean!';
const values = 'file: $file, managedBy: $managedBy, prune: $prune, takeOver: $takeOver';
const planDocument = `mutation PlanCatalogue(${variables}) { plan: planCatalogue(${values}) { ${planFields} } }`;
const applyDocument = `mutation ApplyCatalogue(${variables}, $hash: String!, $note: String) {
  plan: applyCatalogue(${values}, hash: $hash, note: $note) { ${planFields} } }`;

type RemotePlan = Omit<FilePlan, 'effect' | 'countedEffect' | 'catalogueVersion'>;
type Effect = NonNullable<FilePlan['effect']>;
type Side = Effect['gains'];
type RemoteSide = Omit<Side, 'items'> & { items: { nodes: Side['items'] } };
type RemoteEffect = Record<'gains' | 'loses', RemoteSide> & Pick<Effect, 'tokens'>;

/** A plan as the commands print it. */
export type PrintedPlan = RemotePlan & Pick<FilePlan, 'effect'>;

/** @param hash of the plan to apply; undefined: only plans. Throws GatehouseError with the service's problems, and OperatorError. */
export async function planRemotely(
  remote: Remote,
  file: unknown,
  { managedBy, prune = false, takeOver = false, note }: FileOptions & { note?: string },
  hash?: string,
): Promise<PrintedPlan> {
  const body = bodyOf({
    query: hash === undefined ? planDocument : applyDocument,
    variables: { file, managedBy: managedBy ?? null, prune, takeOver, ...(hash && { hash, note: note ?? null }) },
  });
  const { plan } = (await ask(remote, body)) as {
    plan: RemotePlan & { effect: RemoteEffect | null };
  };
  const flat = ({ items, ...others }: RemoteSide): Side => ({ ...others, items: items.nodes });
  const { effect } = plan;
  return { ...plan, effect: effect && { ...effect, gains: flat(effect.gains), loses: flat(effect.loses) } };
}

/** Throws OperatorError for what JSON lacks: it would be sent as null, which clears. */
function bodyOf(request: object): string {
  try {
    return JSON.stringify(request, (name, value) => {
      if (typeof value !== 'number' || Number.isFinite(value)) return value;
      throw new OperatorError(`The file has the number ${value} as ${name}, which a request cannot hold.`);
    });
  } catch (error) {
    if (error instanceof TypeError) throw new OperatorError('The file has an alias inside what it stands for.');
    throw error;
  }
}

async function ask({ endpoint, headers }: Remote, body: string): Promise<unknown> {
  const { status, text } = await send(endpoint, headers, body);
  const answer = parsed(text);
  const [error] = (Array.isArray(answer?.errors) ? answer.errors : []) as RemoteError[];
  if (error) throw asGatehouseError(error, status);
  if (isJsonObject(answer?.data)) return answer.data;
  // a proxy that has given up says nothing of the request
  throw new OperatorError(
    status >= 500
      ? `${endpoint.href} answers ${status} in place of Gatehouse. Plan again to see what was applied.`
      : `${endpoint.href} answers ${status} and is not a Gatehouse: check --url.`,
  );
}

async function send(endpoint: URL, headers: Record<string, string>, body: string) {
  try {
    const signal = AbortSignal.timeout(answerTimeoutMs);
    // a token is never sent on to another address
    const response = await fetch(endpoint, { method: 'POST', headers, body, signal, redirect: 'manual' });
    return { status: response.status, text: await readText(response) };
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const { message, cause, name } = error as Error & { cause?: { code?: string; message?: string } };
    const reason = name === 'TimeoutError' ? 'no answer in ten minutes' : (cause?.code ?? cause?.message ?? message);
    throw new OperatorError(`${endpoint.href} can't be reached (${reason}). Plan again to see what was applied.`);
  }
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > answerBytesMax) throw new OperatorError('The answer is larger than 256 MB: plan on the server.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): JsonObject | undefined {
  try {
    return [JSON.parse(text)].find(isJsonObject);
  } catch {
    return undefined;
  }
}

interface RemoteError {
  message: string;
  extensions?: { code?: string; problems?: Problems; moreProblems?: boolean; traceId?: string };
}

const advice: Record<string, string> = {
  UNAUTHENTICATED:
    'The service does not accept the token. It is expired, its issuer has no "pipelines": true in ID_TOKEN_ISSUERS, or its user does not hold the profile.',
  FORBIDDEN: 'The profile does not permit this change.',
  TOO_LARGE: 'The file is too large for a request: split it under several names, or plan on the server.',
};

/** Problems are keyed by their places in the file, as the local command names them; a conflict has the text of the local command. */
function asGatehouseError({ message, extensions = {} }: RemoteError, status: number): Error {
  const { code = '', problems, moreProblems, traceId } = extensions;
  const trace = traceId === undefined ? '' : ` (trace id ${traceId})`;
  if (!problems) {
    if (code === 'CONFLICT') return new GatehouseError(code, message);
    const hint = advice[code] ?? (status === 413 ? advice.TOO_LARGE : undefined);
    return new OperatorError([`The service answers ${status}: ${message}${trace}`, hint].filter(Boolean).join('\n'));
  }
  const placed = Object.entries(problems).map(([path, texts]) => [path.replace(/^file\./, ''), texts]);
  if (moreProblems) placed.push(['…', ['and perhaps more']]);
  return new GatehouseError(code as GatehouseError['code'], message, { problems: Object.fromEntries(placed) });
}
