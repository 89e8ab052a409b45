/** What a request is for: the operation, the options in it, and which client sends it. The rows of a report. */
import { secretForm } from '../secretForm.js';
import type { Body } from './message.js';

export interface Caller {
  operation: string;
  /** Names of query options, or the grant. */
  option: string;
  client: string;
}

const applicationPaths: [pattern: RegExp, name: string][] = [
  [/\/api\/applications$/, '/api/applications'],
  [/\/api\/applications\/[^/]{1,200}\/accessscopes(:|%3a)delete$/, '/api/applications/{guid}/accessScopes:delete'],
  [/\/api\/applications\/[^/]{1,200}\/accessscopes$/, '/api/applications/{guid}/accessScopes'],
  [/\/api\/applications\/[^/]{1,200}\/accessscopes\/[^/]{1,200}$/, '/api/applications/{guid}/accessScopes/{guid}'],
  [/\/api\/applications\/[^/]{1,200}$/, '/api/applications/{guid}'],
];
const endsOfPaths = ['/token', '/profiles', '/revoke', '/validate-token', '/introspect', '/.well-known/jwks.json'];

export function operationOf(method: string, target: string): string {
  const full = target.split('?')[0]!;
  const path = (full.endsWith('/') ? full.slice(0, -1) : full).toLowerCase().slice(0, 2_000);
  const found =
    applicationPaths.find(([pattern]) => pattern.test(path))?.[1] ?? endsOfPaths.find((end) => path.endsWith(end));
  return `${method} ${found ?? 'another path'}`;
}

const grants: Record<string, string> = {
  'urn:service:authz:exchange': 'exchange',
  refresh_token: 'renewal',
  'urn:ietf:params:oauth:grant-type:token-exchange': 'token exchange',
};
const queryOptions = new Set(['filter', 'orderby', 'top', 'skip', 'select', 'expand', 'count', 'options']);

export function optionOf(target: string, body: Body): string {
  const names = [...new URLSearchParams(target.split('?')[1] ?? '').keys()].map((name) =>
    name.toLowerCase().replace('$', ''),
  );
  const known = [...new Set(names.map((name) => (queryOptions.has(name) ? name : 'another')))];
  const grant = fieldOf(body, 'grant_type');
  if (grant !== undefined) known.push((Object.hasOwn(grants, grant) && grants[grant]) || 'another grant');
  if (body.kind === 'form') known.push('form');
  return known.sort().join(' ') || '–';
}

export function fieldOf(body: Body, name: string): string | undefined {
  const value =
    body.kind === 'form'
      ? body.fields.find(([key]) => key === name)?.[1]
      : body.kind === 'json' && (body.json as Record<string, unknown> | null)?.[name];
  return typeof value === 'string' ? value : undefined;
}

/** The product of a user agent, such as `legacy-portal` of `legacy-portal/1.2 (…)`; a longer word is none. */
export const productOf = (userAgent: string): string | undefined => /^[\w.-]{1,40}(?![\w.-])/.exec(userAgent)?.[0];

/** Ids of clients are shown; a text that no operator would choose as one is not. */
export const isClientId = (text: string): boolean => /^[\w.:-]{1,100}$/.test(text) && !secretForm.test(text);
