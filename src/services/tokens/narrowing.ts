/**
 * Tokens for fewer audiences and scopes than a profile gives (RFC 8707, RFC 6749 §3.3 and §6). What is asked for narrows and
 * never widens: within what the client may have, what the record was made for, and what the profile holds now.
 */
import type { Config } from '../../config/config.js';
import { isScopeToken } from '../../entities/scopeToken.js';
import { scopeText } from '../scopeEntry.js';
import { TokenRefusal } from './tokenRefusal.js';

/** The audiences of access tokens that the issuing flow sets. */
export const audiences = ['GRID', 'IOT'];

/** All that an access token of ours may be for. */
export const allAudiences = ({ adminAudience }: Pick<Config, 'adminAudience'>): string[] =>
  adminAudience === undefined ? audiences : [...audiences, adminAudience];

/** What a request asks for; an absent member asks for all. */
export interface Narrowing {
  audiences?: readonly string[] | undefined;
  scopes?: readonly string[] | undefined;
}

/** What a record was made for, with spaces between; null: for all. */
interface MadeFor {
  audience: string | null;
  scope: string | null;
}

/** What a token is issued for. */
interface Issued {
  audiences: string[];
  scopes: string[];
  /** Of narrowed scopes: the claim of RFC 9068 §2.2.3, by which such a token is known. */
  scope?: string;
}

/** Texts with spaces between, as records and clients keep them; null of none. */
export const joinTexts = (texts: readonly string[] | undefined): string | null =>
  texts === undefined ? null : [...new Set(texts)].sort().join(' ');
const splitTexts = (text: string | null): string[] | undefined => text?.split(' ').filter(Boolean);

/** SQL: the audiences of the record `t`, and those of the client; the client's null is all. */
const madeForAudiences = `string_to_array(coalesce(t.audience, '${audiences.join(' ')}'), ' ')`;
const allowedAudiences = "string_to_array(client.allowed_audiences, ' ')";

/** SQL: the client may have one of the record's audiences. */
export const hasAudience = `(client.allowed_audiences is null or ${madeForAudiences} && ${allowedAudiences})`;

// `<@` compares each with each, and there may be thousands
const hasAll = (asked: string, held: string): string =>
  `not exists (select unnest(string_to_array(${asked}, ' ')) except select unnest(${held}))`;

/** SQL: the record, its client and the profile have all that is asked for; the two values are texts or null. */
export const isWithin = (audience: string, scope: string, heldScopes: string): string => `
      (${audience} is null or (${hasAll(audience, madeForAudiences)}
        and (client.allowed_audiences is null or ${hasAll(audience, allowedAudiences)})))
      and (${scope} is null or ((t.scope is null or ${hasAll(scope, "string_to_array(t.scope, ' ')")})
        and ${hasAll(scope, heldScopes)}))`;

/**
 * What is issued. Throws TokenRefusal `invalidTarget` and `invalidScope` for what is asked for and not held.
 * @param held the scopes of the profile
 * @param allowed the client's allowedAudiences
 */
export function narrow(
  config: Pick<Config, 'adminAudience'>,
  madeFor: MadeFor,
  allowed: string | null,
  held: readonly string[],
  asked: Narrowing = {},
): Issued {
  const isWhole = madeFor.audience === null && madeFor.scope === null && allowed === null;
  if (isWhole && !asked.audiences && !asked.scopes) return { audiences, scopes: [...held] };
  const mayHave = intersect(splitTexts(madeFor.audience) ?? audiences, allAudiences(config), splitTexts(allowed));
  return {
    audiences: pickAudiences(mayHave, asked.audiences),
    ...pickScopes(held, splitTexts(madeFor.scope), asked.scopes),
  };
}

/** The same of an exchange, which alone may ask for the audience of the administration. */
export const narrowFirst = (
  config: Pick<Config, 'adminAudience'>,
  allowed: string | null,
  held: readonly string[],
  asked: Narrowing = {},
): Issued => {
  const audience = asked.audiences === undefined ? null : joinTexts(allAudiences(config));
  return narrow(config, { audience, scope: null }, allowed, held, asked);
};

/** Why a renewal within these limits is refused for what it asks for, the scopes of the profile aside; undefined: it isn't. */
export function findNarrowingRefusal(
  config: Pick<Config, 'adminAudience'>,
  madeFor: MadeFor,
  allowed: string | null,
  asked: Narrowing,
): TokenRefusal | undefined {
  try {
    // as if the profile had none
    narrow(config, madeFor, allowed, [], asked);
    return undefined;
  } catch (error) {
    if (error instanceof TokenRefusal) return error;
    throw error;
  }
}

function pickAudiences(mayHave: readonly string[], asked: readonly string[] | undefined): string[] {
  if (asked && !asked.every((audience) => mayHave.includes(audience)))
    throw new TokenRefusal('invalidTarget', `audience must be among ${mayHave.join(', ') || 'none'}`);
  if (mayHave.length === 0) throw new TokenRefusal('invalidTarget', 'the client may have none of its audiences');
  return asked ? intersect(mayHave, asked) : [...mayHave];
}

function pickScopes(
  held: readonly string[],
  madeFor: readonly string[] | undefined,
  asked: readonly string[] | undefined,
): Pick<Issued, 'scopes' | 'scope'> {
  if (!madeFor && !asked) return { scopes: [...held] };
  const mayHave = new Set(intersect(held, madeFor).filter(isScopeToken));
  if (asked && !asked.every((scope) => mayHave.has(scope)))
    throw new TokenRefusal('invalidScope', 'a scope that the profile, or its record, does not have');
  const scopes = [...new Set(asked ?? mayHave)].sort();
  return { scopes, scope: scopeText(scopes) };
}

function intersect(first: readonly string[], ...others: (readonly string[] | undefined)[]): string[] {
  const sets = others.flatMap((other) => (other ? [new Set(other)] : []));
  return first.filter((each) => sets.every((set) => set.has(each)));
}
