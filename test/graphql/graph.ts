/** A GraphQL caller for tests: tokens with any scopes, operations, and the statements that each cost. */
import { randomUUID } from 'node:crypto';
import type { Limits } from '../../src/config/limits.js';
import { openGraphql } from '../../src/graphql/execution/server.js';
import { type Answer, startTestApp, type TestApp } from '../support/app.js';
import { openCallers } from '../support/callers.js';

export const allAdminScopes = ['admin:read', 'admin:write', 'admin:security'];

export interface TestGraph {
  app: TestApp;
  /** A token with these scopes, whoever it is said to be for and whatever the database says of that one. */
  token(scopes?: string[], holding?: { sub?: string; profileId?: string; roleId?: string }): string;
  /** Runs an operation, with all admin scopes when no token is given; `null` is without token. */
  ask(query: string, variables?: object, token?: string | null): Promise<Answer>;
  /** Posts any body, with all admin scopes. */
  post(body: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** The data of an operation that must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  data(query: string, variables?: object, token?: string): Promise<any>;
  close(): Promise<void>;
}

export async function startTestGraph(
  settings: Record<string, string> = {},
  limits: Partial<Limits> = {},
): Promise<TestGraph> {
  const app = await startTestApp(settings, { limits });
  const tokenOf = await openCallers(app.context);
  const token: TestGraph['token'] = (scopes = allAdminScopes, holding = {}) =>
    tokenOf({
      userGuid: holding.sub ?? randomUUID(),
      profileId: holding.profileId ?? 'administration',
      roleId: holding.roleId ?? 'administrator',
      scopes,
    });
  const ask: TestGraph['ask'] = (query, variables, given = token()) =>
    app.post('/graphql', { query, ...(variables && { variables }) }, given ? { authorization: `Bearer ${given}` } : {});
  const post: TestGraph['post'] = (body, headers = {}) =>
    app.post('/graphql', body, { authorization: `Bearer ${token()}`, ...headers });
  const data: TestGraph['data'] = async (query, variables, given) => {
    const { json, text } = await ask(query, variables, given);
    if (!json?.data || json.errors) throw new Error(text);
    return json.data;
  };
  return { app, token, ask, post, data, close: () => app.close() };
}

/** The GraphQL face with every node as an object, asked with all permissions: the text of its answer. */
export async function openFace(
  { context, running }: TestApp,
  { writesBytes } = { writesBytes: false },
): Promise<(query: string, variables?: object) => Promise<string>> {
  const face = await openGraphql(running.dependencies, { writesBytes });
  return async (query, variables) => {
    const headers = { 'content-type': 'application/json' };
    const { body } = await face(context, {
      method: 'POST',
      headers,
      search: '',
      body: { query, ...(variables && { variables }) },
    });
    return body.toString();
  };
}
