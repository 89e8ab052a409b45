/**
 * Users without an `idpname` when ID_TOKEN_ISSUERS has several issuers. Any of the issuers could claim them as its own, so their
 * ID tokens are refused and the operator is warned.
 */
import type { Config } from '../../config/config.js';
import type { Sql } from '../../sql.js';

export const hasSeveralIssuers = ({ idTokenIssuers }: Pick<Config, 'idTokenIssuers'>): boolean =>
  (idTokenIssuers?.length ?? 1) > 1;

/** Whether such users can't sign in. Issuers with the subject `idpid` could never assert them. */
export const needsIdpname = (config: Pick<Config, 'idTokenIssuers'>): boolean =>
  hasSeveralIssuers(config) && config.idTokenIssuers!.some(({ subject }) => subject === 'userGuid');

const countedMax = 1_000;

/** Returns a warning for the operator; undefined when there are no such users. */
export async function describeUsersOfNoIssuer(
  sql: Sql,
  config: Pick<Config, 'idTokenIssuers'>,
): Promise<string | undefined> {
  if (!needsIdpname(config)) return undefined;
  const [row] = await sql.rows<{ count: number }>(
    `select count(*)::int as count from (select from users where idpname is null limit ${countedMax + 1}) unknown`,
  );
  const { count } = row!;
  if (count === 0) return undefined;
  return `users without idpname: ${count > countedMax ? `more than ${countedMax}` : count}; ${adviceFor(config)}`;
}

/** Names the cause and the remedy for the operator. */
export const adviceFor = ({ idTokenIssuers = [] }: Pick<Config, 'idTokenIssuers'>): string => {
  const names = [...new Set(idTokenIssuers.map(({ idpname }) => idpname))];
  return `with several ID_TOKEN_ISSUERS the ID tokens of such users are refused: set idpname to ${names.join(' or ')}, by an import ({"users": [{"userGuid": "…", "idpname": "${names[0]}"}]}) or by updateUser`;
};
