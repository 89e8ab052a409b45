/** The doctor's look at what stands in the database and isn't as it would be if it were new; silent where all is well. */
import type { Config } from '../config/config.js';
import type { Sql } from '../sql.js';
import type { Finding } from './finding.js';

const shownMax = 10;

/** What comes from old systems: entries that no `scope` text holds, keys `*`, and types that only look like the reserved one. */
export async function checkScopes(sql: Sql): Promise<Finding[]> {
  const [{ everyKey, notScopeToken, scopeEntryColumn, scopesAndTypes }, { reservedTypeGuid }, { looksLikeAdmin }] =
    await Promise.all([
      import('../services/scopeEntry.js'),
      import('../services/adminScopes/reserved.js'),
      import('../services/adminScopes/lookAlike.js'),
    ]);
  const entries = await sql.rows<{ entry: string; count: string }>(
    `select ${scopeEntryColumn} as entry, count(*) over () as count from ${scopesAndTypes}
     where ${notScopeToken(scopeEntryColumn)} group by 1 order by 1 limit ${shownMax}`,
  );
  const every = await sql.rows<{ text: string; count: string }>(
    `select type.name || ':' || $1 || ' ' || scope.access_scope_guid as text, count(*) over () as count from ${scopesAndTypes}
     where scope.access_scope_key = $1 order by 1 limit ${shownMax}`,
    [everyKey],
  );
  const types = await sql.rows<{ name: string }>(
    'select name from access_scope_types where access_scope_type_guid <> $1 order by name',
    [reservedTypeGuid],
  );
  const alike = types.map(({ name }) => name).filter(looksLikeAdmin);
  const findings: Finding[] = [];
  if (entries.length > 0) findings.push({ ok: true, what: 'scopes', text: textOf(entries) });
  if (every.length > 0) {
    const shown = listed(
      every.map(({ text }) => text),
      Number(every[0]!.count),
    );
    const text = `${shown}: APIs read the key ${everyKey} as every scope of the type. Give another key, or clear it and set isWildcard`;
    findings.push({ ok: false, what: 'scope keys', text });
  }
  if (alike.length > 0) {
    const text = `${listed(alike, alike.length)} look like admin, which is Gatehouse's own: give them other names`;
    findings.push({ ok: false, what: 'scope types', text });
  }
  return findings;
}

/** Clients that were given audiences which tokens no longer can have, or never could. */
export async function checkAudiences(sql: Sql, config: Config): Promise<Finding[]> {
  const { allAudiences } = await import('../services/tokens/narrowing.js');
  const audiences = allAudiences(config);
  const clients = await sql.rows<{ client_id: string; count: string }>(
    `select client_id, count(*) over () as count from clients
     where not string_to_array(allowed_audiences, ' ') <@ $1::text[] order by client_id limit ${shownMax}`,
    [audiences],
  );
  if (clients.length === 0) return [];
  const shown = listed(
    clients.map(({ client_id }) => client_id),
    Number(clients[0]!.count),
  );
  const text = `${shown}: allowedAudiences has one that no token can have, which are ${audiences.join(', ')} (AUDIENCES). Change it by updateClient`;
  return [{ ok: false, what: 'client audiences', text }];
}

/** Users whom no ID token can name any more. */
export async function checkUsers(sql: Sql, config: Config): Promise<Finding[]> {
  const { describeUsersOfNoIssuer } = await import('../services/tokens/usersOfNoIssuer.js');
  const text = await describeUsersOfNoIssuer(sql, config);
  return text === undefined ? [] : [{ ok: false, what: 'users', text }];
}

const textOf = (entries: { entry: string; count: string }[]): string =>
  `in the \`scopes\` array alone, since no \`scope\` text can hold them (RFC 6749 §3.3): ${listed(
    entries.map(({ entry }) => entry),
    Number(entries[0]!.count),
  )}`;

function listed(texts: readonly string[], count: number): string {
  const shown = texts.slice(0, shownMax).map(visible).join(', ');
  return count > shownMax ? `${shown} and ${count - shownMax} more` : shown;
}

/** In quotes, with what a terminal would obey or not show as `\u{…}`. */
export const visible = (text: string): string =>
  `"${text.replaceAll(/[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]|[^\P{Zs} ]/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`)}"`;
