/** The endpoints for receivers of security event tokens: configuration, streams, status, verification, poll. */
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { openRequestLimit } from '../../auth/limiter.js';
import type { Context, Dependencies } from '../../context.js';
import { GatehouseError } from '../../errors.js';
import type { BodyRule } from '../../http/body.js';
import type { OpenRoutes } from '../../http/openRoutes.js';
import { contextOf, untilClosed } from '../../http/requestContext.js';
import { getRoute, type Method, route } from '../../http/routes.js';
import { openSlots } from '../../slots.js';
import { poll, readPoll } from './poll.js';
import { type ReceiverScope, requireReceiver } from './receivers.js';
import {
  changeStatus,
  changeStream,
  createStream,
  methods,
  type Receiver,
  readConfiguration,
  readStatus,
  removeStream,
  requireOwn,
  verifyStream,
} from './ssfStreams.js';

const json: BodyRule = {
  accepts: (type) => type === 'application/json',
  described: 'JSON (application/json)',
  bytesMax: 64 * 1024,
};

/** Simultaneous polls of one receiver in one process: one for each of its streams. */
const pollsOfOneMax = 20;
const pollAgainSeconds = 5;

/** SSF 1.0 §7.2: between host and path of the issuer, and below BASE_PATH for a proxy that passes nothing else. */
function configurationPaths({ config, issuerUrl }: Pick<Dependencies, 'config' | 'issuerUrl'>): string[] {
  const name = '/.well-known/ssf-configuration';
  const path = new URL(issuerUrl).pathname.replace(/\/$/, '');
  return [...new Set([`${name}${path}`, `${config.basePath}${name}`])];
}

/** SSF 1.0 §7.1. */
const transmitterConfiguration = ({ issuerUrl }: Pick<Dependencies, 'issuerUrl'>): object => ({
  spec_version: '1_0',
  issuer: issuerUrl,
  jwks_uri: `${issuerUrl}/.well-known/jwks.json`,
  delivery_methods_supported: [methods.push, methods.poll],
  configuration_endpoint: `${issuerUrl}/ssf/streams`,
  status_endpoint: `${issuerUrl}/ssf/status`,
  verification_endpoint: `${issuerUrl}/ssf/verification`,
  authorization_schemes: [{ spec_urn: 'urn:ietf:rfc:6749' }, { spec_urn: 'urn:ietf:rfc:7617' }],
  default_subjects: 'ALL',
});

/** The document, on paths that do not lie below BASE_PATH. */
export function wellKnownRoutes(dependencies: Dependencies): Router {
  const router = Router({ caseSensitive: true });
  getRoute(router, configurationPaths(dependencies), async (_request, response) => {
    response.set('cache-control', 'public, max-age=300').json(transmitterConfiguration(dependencies));
  });
  return router;
}

type Answer = (receiver: Receiver, request: Request, response: Response) => Promise<void>;
const reading: readonly ReceiverScope[] = ['ssf.read', 'ssf.manage'];
const managing: readonly ReceiverScope[] = ['ssf.manage'];

const pollPath = '/ssf/poll/:streamId';

export const eventRoutes: OpenRoutes = (dependencies, { bodies }) => {
  const { config, sql } = dependencies;
  const router = Router({ caseSensitive: true });
  const limit = openRequestLimit(config.ssfRateLimit, config.limiterStore === 'memory' ? 'memory' : sql, 'ssf');
  const polls = openSlots({ max: Number.POSITIVE_INFINITY, ofOneMax: pollsOfOneMax, waitingMax: 0 });
  const operation = (
    path: string,
    scopes: readonly ReceiverScope[],
    answer: Answer,
    hasBody: boolean,
  ): RequestHandler[] => {
    const authenticate: RequestHandler = async (request, response, next) => {
      const context = contextOf(dependencies, request);
      const clientId = await requireReceiver(context, request.headersDistinct.authorization ?? [], scopes);
      // a receiver polls again and again; how many polls it has at a time is limited instead
      if (path !== pollPath) await limit?.(clientId);
      response.locals.receiver = { context, clientId } satisfies Receiver;
      response.set('cache-control', 'no-store');
      next();
    };
    const answerRequest = (request: Request, response: Response) =>
      answer(response.locals.receiver as Receiver, request, response);
    return [authenticate, hasBody ? bodies.answerJson(json, answerRequest) : answerRequest];
  };
  const at = (path: string, answers: { [method in Method]?: [readonly ReceiverScope[], Answer] }) =>
    route(
      router,
      path,
      Object.fromEntries(
        Object.entries(answers).map(([method, [scopes, answer]]) => [
          method,
          operation(path, scopes, answer, method !== 'get' && method !== 'delete'),
        ]),
      ),
    );
  const idIn = ({ query }: Request): unknown => query.stream_id;

  at('/ssf/streams', {
    get: [
      reading,
      async (receiver, request, response) => void response.json(await readConfiguration(receiver, idIn(request))),
    ],
    post: [
      managing,
      async (receiver, { body }, response) => void response.status(201).json(await createStream(receiver, body)),
    ],
    patch: [
      managing,
      async (receiver, { body }, response) => void response.json(await changeStream(receiver, body, false)),
    ],
    put: [
      managing,
      async (receiver, { body }, response) => void response.json(await changeStream(receiver, body, true)),
    ],
    delete: [
      managing,
      async (receiver, request, response) => {
        await removeStream(receiver, idIn(request));
        response.status(204).end();
      },
    ],
  });
  at('/ssf/status', {
    get: [
      reading,
      async (receiver, request, response) => void response.json(await readStatus(receiver, idIn(request))),
    ],
    post: [managing, async (receiver, { body }, response) => void response.json(await changeStatus(receiver, body))],
  });
  at('/ssf/verification', {
    post: [
      managing,
      async (receiver, { body }, response) => {
        await verifyStream(receiver, body);
        response.status(204).end();
      },
    ],
  });
  at(pollPath, {
    post: [
      reading,
      async (receiver, request, response) => {
        const { guid, kind } = await requireOwn(receiver, request.params.streamId);
        const asked = readPoll(request.body);
        const context: Context = receiver.context;
        const release = polls.tryHold({ name: receiver.clientId });
        if (!release)
          throw new GatehouseError('TOO_MANY_REQUESTS', `A receiver has at most ${pollsOfOneMax} polls at a time.`, {
            headers: { 'retry-after': String(pollAgainSeconds) },
          });
        try {
          response.json(kind === 'poll' ? await poll(context, guid, asked, untilClosed(response)) : { sets: {} });
        } finally {
          release();
        }
      },
    ],
  });
  return router;
};
