/** Defines callers: the access token of a request, and the permissions of its scopes. Reads no key. */
import type { Config } from '../config/config.js';

/** admin:read reads; admin:write reads and changes; admin:security covers clients, tokens, keys, the audit log and the admin scopes. */
export type Permission = 'admin:read' | 'admin:write' | 'admin:security';

export type Caller =
  | {
      kind: 'user';
      sub: string;
      profileId: string;
      roleId: string;
      /** The scopes of an operator's token; absent: the caller has the scopes of the profile. */
      ownScopes?: readonly string[];
      /** Only for users of the console. */
      session?: ConsoleSession;
      /** The scopes of a narrowed token: the profile's others don't count. */
      limitedTo?: readonly string[];
      permissions: ReadonlySet<Permission>;
    }
  /** An identity provider that provisions its people (SCIM). It is known at /scim only. */
  | { kind: 'connector'; sub: string; connector: ConnectorScope; permissions: ReadonlySet<Permission> }
  /** A command, or everyone when `ADMIN_AUTH` is `none`. */
  | { kind: 'system'; sub: string; permissions: ReadonlySet<Permission> }
  | { kind: 'anonymous' };

/** What a connector manages: the people of its `idpname`, and links to profiles in its role. */
export interface ConnectorScope {
  connectorId: string;
  idpname: string;
  roleId: string;
}

/** The `managedBy` of the profiles that the connector assigns. */
export const managedBy = ({ connectorId }: ConnectorScope): string => `scim:${connectorId}`;

interface ConsoleSession {
  /** Names the session where people see it. */
  id: string;
  /** The session's beginning and its latest end; ISO 8601. */
  startedAt: string;
  endsAt: string;
  /** Whether the user authenticated a few minutes ago; dangerous operations need it. */
  isFresh: boolean;
}

/** Scopes that legacy callers' tokens already carry. */
type LegacyScopes = Pick<Config, 'adminReadScopes' | 'adminWriteScopes'>;

export const allPermissions: ReadonlySet<Permission> = new Set<Permission>([
  'admin:read',
  'admin:write',
  'admin:security',
]);

/** Those with which nobody can give administration. */
export const writerPermissions: ReadonlySet<Permission> = new Set<Permission>(['admin:read', 'admin:write']);

const anyAdmin = 'admin:*';

/** Returns every entry of `scopes` that permits anything here. */
export const administrationScopes = ({ adminReadScopes, adminWriteScopes }: LegacyScopes): string[] => [
  ...allPermissions,
  ...adminReadScopes,
  ...adminWriteScopes,
];

export type TokenScheme = 'Bearer' | 'DPoP';

export interface PresentedToken {
  scheme: TokenScheme;
  token: string;
}

/** Returns the token of an `Authorization` header (RFC 6750 §2.1, RFC 9449 §7.1); undefined for one of another scheme. */
export function presentedToken(authorizationHeader = ''): PresentedToken | undefined {
  const [, scheme, token] =
    /^(Bearer|DPoP) {1,99}([A-Za-z0-9._~+/-]{1,16384}={0,99})$/i.exec(authorizationHeader) ?? [];
  if (!scheme || !token) return undefined;
  return { scheme: scheme.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer', token };
}

/** Returns the permissions of an access token's scopes. `admin:*` permits nothing, not even by a setting. */
export function permissionsOf(scopes: Iterable<string>, legacy: LegacyScopes): ReadonlySet<Permission> {
  const permissions = new Set<Permission>();
  for (const scope of scopes) {
    if (scope === anyAdmin) continue;
    if (scope === 'admin:security') permissions.add('admin:security');
    const mayWrite = scope === 'admin:write' || legacy.adminWriteScopes.includes(scope);
    if (mayWrite) permissions.add('admin:write');
    if (mayWrite || scope === 'admin:read' || legacy.adminReadScopes.includes(scope)) permissions.add('admin:read');
  }
  return permissions;
}

/** Whether the caller has the permission; the anonymous one has none. */
export function hasPermission(caller: Caller, permission: Permission): boolean {
  return caller.kind !== 'anonymous' && caller.permissions.has(permission);
}
