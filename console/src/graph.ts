/** The one way to the graph: same origin, the session's cookie, and a header that no form of another site can send. */
import type { Operation } from './operations/generated/graph';

/** A refusal of the service, or that it can't be reached. */
export class Refusal extends Error {
  constructor(
    /** One of the graph's codes; UNAVAILABLE too when there was no answer. */
    readonly code: string,
    message: string,
    /** Faults by their place in the request, such as `changes[3].updateApplication.input.name`. */
    readonly problems: Record<string, string[]> = {},
    readonly traceId?: string,
  ) {
    super(message);
  }
}

interface Fault {
  message: string;
  extensions?: { code?: string; problems?: Record<string, string[]>; traceId?: string };
}

interface Answered<Answer> {
  data?: Answer | null;
  errors?: Fault[];
}

/** Asks, and answers the data. Throws Refusal; AbortError when the signal ends it. */
export async function ask<Answer, Variables>(
  operation: Operation<Answer, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Answer> {
  const response = await send(JSON.stringify({ ...operation, variables }), signal);
  const body = await readAnswer<Answer>(response);
  const [fault] = body.errors ?? [];
  if (fault) throw refusalOf(fault, response);
  if (response.status === 401) throw new Refusal('UNAUTHENTICATED', 'You are signed out.');
  if (!body.data) throw unexpected(response);
  return body.data;
}

/** What a mutation answers: each of its fields, which are null only beside an error. */
type Done<Answer> = { [Field in keyof Answer]: NonNullable<Answer[Field]> };

/** Asks for a change, and answers what it made. Throws Refusal. */
export async function mutate<Answer extends object, Variables>(
  operation: Operation<Answer, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Done<Answer>> {
  const answer = await ask(operation, variables, signal);
  if (Object.values(answer).includes(null)) throw new Refusal('INTERNAL', 'The answer does not say what was changed.');
  return answer as Done<Answer>;
}

async function send(body: string, signal: AbortSignal | undefined): Promise<Response> {
  try {
    return await fetch(new URL('graphql', document.baseURI), {
      method: 'POST',
      credentials: 'same-origin',
      headers: {
        accept: 'application/graphql-response+json, application/json;q=0.9',
        'content-type': 'application/json',
        'x-gatehouse-console': '1',
      },
      body,
      signal: signal ?? null,
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw unreachable();
  }
}

export const unreachable = (): Refusal =>
  new Refusal('UNAVAILABLE', 'Gatehouse can’t be reached. What you have typed is kept.');

async function readAnswer<Answer>(response: Response): Promise<Answered<Answer>> {
  try {
    return (await response.json()) as Answered<Answer>;
  } catch {
    if (response.status === 401) return {};
    throw unexpected(response);
  }
}

const unexpected = ({ status, headers }: Response): Refusal =>
  new Refusal(
    status === 403 ? 'FORBIDDEN' : status >= 502 ? 'UNAVAILABLE' : 'INTERNAL',
    `Gatehouse, or a proxy in front of it, answered with status ${status}. Try again. If it happens again, tell the operators.`,
    {},
    headers.get('x-trace-id') ?? undefined,
  );

/** What the service can't say. */
const wordsOf: Record<string, string> = {
  UNAUTHENTICATED: 'You are signed out. What you have typed is kept.',
  PERSISTED_QUERY_NOT_FOUND: 'It was updated since this page was loaded. Load it again: what you have typed is kept.',
};

function refusalOf({ message, extensions = {} }: Fault, { status }: Response): Refusal {
  const code = extensions.code ?? (status === 401 ? 'UNAUTHENTICATED' : 'INTERNAL');
  const words = wordsOf[code] ?? message;
  return new Refusal(code, words, extensions.problems, extensions.traceId);
}

const guids = new Map<string, string>();

/**
 * Sends what makes something, under a guid of its own: if the answer was lost, the same that is sent again makes nothing else.
 * @param what that is sent, beside the guid
 */
export async function sendOnce<Answer>(what: object, send: (guid: string) => Promise<Answer>): Promise<Answer> {
  const text = JSON.stringify(what);
  const guid = guids.get(text) ?? crypto.randomUUID();
  guids.set(text, guid);
  const answer = await send(guid);
  guids.delete(text);
  return answer;
}
