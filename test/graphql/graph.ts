/** A GraphQL caller for tests: tokens with any scopes, operations, and the statements that each cost. */
import { randomUUID } from 'node:crypto';
import { issueAccessToken } from '../../src/services/accessToken.js';
import { type Answer, startTestApp, type TestApp } from '../support/app.js';

export const allAdminScopes = ['admin:read', 'admin:write', 'admin:security'];

export interface TestGraph {
  app: TestApp;
  /** A token of a user with these scopes. */
  token(scopes?: string[], holding?: { sub?: string; profileId?: string; roleId?: string }): string;
  /** Runs an operation, with all admin scopes when no token is given; `null` is without token. */
  ask(query: string, variables?: object, token?: string | null): Promise<Answer>;
  /** The data of an operation that must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  data(query: string, variables?: object, token?: string): Promise<any>;
  close(): Promise<void>;
}

export async function startTestGraph(settings: Record<string, string> = {}): Promise<TestGraph> {
  const app = await startTestApp(settings);
  const token: TestGraph['token'] = (scopes = allAdminScopes, holding = {}) =>
    issueAccessToken(
      app.context,
      app.context.keys.ring(),
      {
        userGuid: holding.sub ?? randomUUID(),
        profileId: holding.profileId ?? 'administration',
        roleId: holding.roleId ?? 'administrator',
        scopes,
      },
      new Date(),
    );
  const ask: TestGraph['ask'] = (query, variables, given = token()) =>
    app.post('/graphql', { query, ...(variables && { variables }) }, given ? { authorization: `Bearer ${given}` } : {});
  const data: TestGraph['data'] = async (query, variables, given) => {
    const { json, text } = await ask(query, variables, given);
    if (!json?.data || json.errors) throw new Error(text);
    return json.data;
  };
  return { app, token, ask, data, close: () => app.close() };
}
