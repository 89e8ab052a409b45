/** Kinds of differences that a new service may have: each changes one answer, and says what a comparison must find. */
import type { DifferenceKind } from '../../compare/difference.js';

/** An answer on its way to whoever asked. */
export interface Passing {
  operation: string;
  /** The body of the request. */
  sent: string;
  status: number;
  headers: Record<string, string>;
  text: string;
}

// biome-ignore lint/suspicious/noExplicitAny: answers are changed in every way
type Json = any;

interface Plant {
  kind: DifferenceKind;
  path: string;
  /** Changes the answer; false: there is nothing in it to change so. */
  change(answer: Passing): boolean;
}

const list = 'GET /api/applications';
const one = 'GET /api/applications/{guid}';
const mappings = 'GET /api/applications/{guid}/accessScopes';
const token = 'POST /token';

/** Changes the JSON of a success, when `change` doesn't say false. */
const inJson =
  (operation: string, change: (json: Json) => unknown, status = 200) =>
  (answer: Passing): boolean => {
    if (answer.operation !== operation || answer.status !== status) return false;
    if (!answer.headers['content-type']?.includes('json')) return false;
    const json = JSON.parse(answer.text);
    if (change(json) === false) return false;
    answer.text = JSON.stringify(json);
    return true;
  };

/** The first row of a full list of applications; those with a $select lack most. */
const inRow = (change: (row: Json) => unknown) =>
  inJson(list, (rows) => (rows[0]?.createdDate === undefined ? false : change(rows[0])));

const inClaims = (change: (claims: Json, header: Json) => unknown) => (answer: Passing) =>
  // nobody uses the tokens of the kiosk
  answer.sent.includes('"kiosk"') &&
  inJson(token, (json) => {
    const [header, claims] = json.access_token
      .split('.', 2)
      .map((part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()));
    change(claims, header);
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    json.access_token = `${encode(header)}.${encode(claims)}.c2lnbmF0dXJl`;
  })(answer);

const renamed = (row: Json, from: string, to: string) => {
  row[to] = row[from];
  delete row[from];
};

const inHeaders =
  (operation: string, change: (headers: Record<string, string>) => unknown, status = 200) =>
  (answer: Passing) =>
    answer.operation === operation && answer.status === status && change(answer.headers) !== false;

const inText = (operation: string, status: number, from: string, to: string) => (answer: Passing) => {
  if (answer.operation !== operation || answer.status !== status || answer.text !== from) return false;
  answer.text = to;
  if (from === '') answer.headers['content-type'] ??= 'text/plain';
  return true;
};

const isOne = inJson(one, () => true);

const set = (answer: Passing, more: Partial<Passing>): true => {
  Object.assign(answer, more);
  return true;
};

export const plants: Plant[] = [
  // what fewest answers can have stands first
  {
    kind: 'header value',
    path: 'header.x-total-count',
    change: inHeaders(
      list,
      (headers) => headers['x-total-count'] !== undefined && Object.assign(headers, { 'x-total-count': '0' }),
    ),
  },
  {
    kind: 'property name in another case',
    path: '$[*].iconDefault',
    change: inRow((row) => renamed(row, 'iconDefault', 'icondefault')),
  },
  { kind: 'property missing', path: '$[*].linkType', change: inRow((row) => delete row.linkType) },
  { kind: 'property added', path: '$[*].tenant', change: inRow((row) => Object.assign(row, { tenant: 'city' })) },
  {
    kind: 'null left out',
    path: '$[*].globalExternalLink',
    change: inRow((row) => row.globalExternalLink === null && delete row.globalExternalLink),
  },
  { kind: 'null written', path: '$[*].tenantId', change: inRow((row) => Object.assign(row, { tenantId: null })) },
  { kind: 'null for a value', path: '$[*].iconHover', change: inRow((row) => Object.assign(row, { iconHover: null })) },
  {
    kind: 'a value for null',
    path: '$[*].modifiedBy',
    change: inRow((row) => row.modifiedBy === null && Object.assign(row, { modifiedBy: row.createdBy })),
  },
  {
    kind: 'null for an empty list',
    path: '$[*].translations',
    change: inRow((row) => row.translations.length === 0 && Object.assign(row, { translations: null })),
  },
  {
    kind: 'object for a list',
    path: '$[*].accessScopeTypeApplicationsMappers',
    change: inRow((row) => Object.assign(row, { accessScopeTypeApplicationsMappers: {} })),
  },
  {
    kind: 'an empty list for null',
    path: '$[*].application.translations',
    change: inJson(mappings, ([row]) =>
      row?.application ? Object.assign(row.application, { translations: [] }) : false,
    ),
  },
  {
    kind: 'an empty text for null',
    path: '$[*].translationGroup',
    change: inRow((row) => Object.assign(row, { translationGroup: '' })),
  },
  {
    kind: 'number',
    path: '$[*].applicationId',
    change: inRow((row) => Object.assign(row, { applicationId: row.applicationId + 7_000 })),
  },
  {
    kind: 'number as text',
    path: '$[*].applicationId',
    change: inRow((row) => Object.assign(row, { applicationId: String(row.applicationId) })),
  },
  { kind: 'boolean', path: '$[*].isActive', change: inRow((row) => Object.assign(row, { isActive: !row.isActive })) },
  {
    kind: 'boolean as text',
    path: '$[*].isActive',
    change: inRow((row) => Object.assign(row, { isActive: String(row.isActive) })),
  },
  { kind: 'text', path: '$[*].name', change: inRow((row) => Object.assign(row, { name: 'Another one' })) },
  {
    kind: 'text in another case',
    path: '$[*].appType',
    change: inRow((row) => Object.assign(row, { appType: 'Web' })),
  },
  {
    kind: 'text with other white space',
    path: '$[*].renderingMode',
    change: inRow((row) => Object.assign(row, { renderingMode: 'tile ' })),
  },
  {
    kind: 'text in another Unicode form',
    path: '$[*].name',
    change: inRow((row) => row.name.includes('\u00e9') && Object.assign(row, { name: row.name.normalize('NFD') })),
  },
  {
    kind: 'guid',
    path: '$[*].createdBy',
    change: inRow((row) => Object.assign(row, { createdBy: '11111111-2222-4333-8444-555555555555' })),
  },
  {
    kind: 'guid in another case',
    path: '$[*].applicationGuid',
    change: inRow((row) => Object.assign(row, { applicationGuid: row.applicationGuid.toUpperCase() })),
  },
  {
    kind: 'guid in another spelling',
    path: '$[*].applicationGuid',
    change: inRow((row) => Object.assign(row, { applicationGuid: `{${row.applicationGuid}}` })),
  },
  {
    kind: 'another moment',
    path: '$[*].createdDate',
    change: inRow((row) =>
      Object.assign(row, { createdDate: new Date(Date.parse(row.createdDate) - 7_200_000).toISOString() }),
    ),
  },
  {
    kind: 'date-time with another zone',
    path: '$[*].createdDate',
    change: inRow((row) => Object.assign(row, { createdDate: row.createdDate.replace('Z', '+00:00') })),
  },
  {
    kind: 'date-time with another precision',
    path: '$[*].createdDate',
    change: inRow((row) => Object.assign(row, { createdDate: row.createdDate.replace('Z', '0000Z') })),
  },
  {
    kind: 'date-time with another separator',
    path: '$[*].createdDate',
    change: inRow((row) => Object.assign(row, { createdDate: row.createdDate.replace('T', ' ') })),
  },
  { kind: 'list order', path: '$', change: inJson(list, (rows) => rows.length > 1 && rows.reverse()) },
  { kind: 'list shorter', path: '$', change: inJson(list, (rows) => rows.length > 2 && rows.pop()) },
  {
    kind: 'list longer',
    path: '$',
    change: inJson(
      mappings,
      (rows) => rows[0]?.application && rows.push({ ...rows[0], accessScopeApplicationsMapperId: 99_999_999 }),
    ),
  },
  {
    kind: 'status',
    path: 'status',
    change: (answer) => answer.operation === one && answer.status === 200 && set(answer, { status: 201 }),
  },
  {
    kind: 'status',
    path: 'status',
    change: (answer) => answer.operation === one && answer.status === 404 && set(answer, { status: 500 }),
  },
  {
    kind: 'header missing',
    path: 'header.api-supported-versions',
    change: inHeaders(list, (headers) => delete headers['api-supported-versions']),
  },
  {
    kind: 'header added',
    path: 'header.deprecation',
    change: inHeaders(mappings, (headers) => Object.assign(headers, { deprecation: '@1' })),
  },
  {
    kind: 'header value',
    path: 'header.etag',
    change: inHeaders(mappings, (headers) => Object.assign(headers, { etag: headers.etag!.replace('W/', '') })),
  },
  {
    kind: 'header missing',
    path: 'header.location',
    change: inHeaders('POST /api/applications', (headers) => delete headers.location),
  },
  {
    kind: 'header missing',
    path: 'header.www-authenticate',
    change: inHeaders(list, (headers) => delete headers['www-authenticate'], 401),
  },
  {
    kind: 'header value',
    path: 'header.allow',
    change: inHeaders('PUT /api/applications', (headers) => Object.assign(headers, { allow: 'GET' }), 405),
  },
  {
    kind: 'header value',
    path: 'header.cache-control',
    change: inHeaders(token, (headers) => Object.assign(headers, { 'cache-control': 'private' }), 400),
  },
  {
    kind: 'media type',
    path: 'header.content-type',
    change: inHeaders(one, (headers) => Object.assign(headers, { 'content-type': 'text/json; charset=utf-8' })),
  },
  {
    kind: 'charset',
    path: 'header.content-type',
    change: inHeaders(one, (headers) => Object.assign(headers, { 'content-type': 'application/json; charset=utf-16' })),
  },
  {
    kind: 'media type parameter',
    path: 'header.content-type',
    change: inHeaders(one, (headers) =>
      Object.assign(headers, { 'content-type': `${headers['content-type']}; odata.metadata=minimal` }),
    ),
  },
  {
    kind: 'byte order mark',
    path: '$',
    change: (answer) => isOne(answer) && set(answer, { text: `\uFEFF${answer.text}` }),
  },
  {
    kind: 'malformed JSON',
    path: '$',
    change: (answer) => isOne(answer) && set(answer, { text: answer.text.slice(0, -1) }),
  },
  { kind: 'body missing', path: '$', change: (answer) => isOne(answer) && set(answer, { text: '' }) },
  { kind: 'body added', path: '$', change: inText(token, 401, '', 'Unauthorized') },
  { kind: 'text', path: '$', change: inText(token, 400, 'Invalid profile', 'Profile not found') },
  {
    kind: 'text in another case',
    path: '$',
    change: inText(token, 400, 'Unsupported grant_type', 'unsupported grant_type'),
  },
  {
    kind: 'text',
    path: '$.title',
    change: inJson(token, (json) => (json.errors ? Object.assign(json, { title: 'Bad Request' }) : false), 400),
  },
  {
    kind: 'property missing',
    path: '$.errors.profileId',
    change: inJson(token, (json) => (json.errors ? delete json.errors.profileId : false), 400),
  },
  {
    kind: 'number as text',
    path: '$.expires_in',
    change: inJson(token, (json) => Object.assign(json, { expires_in: String(json.expires_in) })),
  },
  {
    kind: 'lifetime',
    path: '$.access_token.claims.exp',
    change: inClaims((claims) => Object.assign(claims, { exp: claims.exp + 60 })),
  },
  {
    kind: 'property missing',
    path: '$.access_token.claims.roleId',
    change: inClaims((claims) => delete claims.roleId),
  },
  {
    kind: 'another type',
    path: '$.access_token.claims.aud',
    change: inClaims((claims) => Object.assign(claims, { aud: 'GRID' })),
  },
  {
    kind: 'text',
    path: '$.access_token.header.alg',
    change: inClaims((_, header) => Object.assign(header, { alg: 'RS256' })),
  },
  {
    kind: 'boolean',
    path: '$.is_valid',
    change: inJson('POST /validate-token', (json) => Object.assign(json, { is_valid: false })),
  },
  {
    kind: 'text as number',
    path: '$.claims.profileId',
    change: inJson('POST /validate-token', (json) => Object.assign(json.claims, { profileId: 17 })),
  },
  {
    kind: 'list order',
    path: '$.claims.scopes',
    change: inJson('POST /validate-token', (json) => json.claims.scopes.reverse()),
  },
];
