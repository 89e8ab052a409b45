/** Finds the users of pasted e-mail addresses, and for an address without a user one with a similar address. */
import type { Context } from '../../context.js';
import { isStorable } from '../../entities/valueForms.js';
import { badInput, type Problems, tooLarge } from '../../errors.js';
import { lasts } from '../access/grants.js';
import { nameKey } from '../nameKey.js';
import { permit } from '../permit.js';
import { fold, foldedSql } from '../read/foldedText.js';

interface EmailMatch {
  /** As it was sent. */
  email: string;
  userId: number | null;
  /** Number of a user with a similar address; only if no user has this one. */
  suggestedUserId: number | null;
  /** Number of the user's assignment of the requested profile. */
  userProfileId: number | null;
}

const emailsMax = 1_000;
const emailCharactersMax = 320;
/** Maximum number of similar users that are compared, and of comparisons of two addresses. */
const candidatesMax = 100_000;
const comparisonsMax = 300_000;
/** Maximum number of edits: a letter inserted, left out or replaced, or two neighbours exchanged. */
const editsMax = 2;

interface Address {
  local: string;
  domain: string;
}

/** Bits of the letters of a text: an edit changes two of them at most. */
const lettersOf = (text: string): number => {
  let letters = 0;
  for (let index = 0; index < text.length; index++) letters |= 1 << (text.charCodeAt(index) & 31);
  return letters;
};

function countBits(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}

const addressOf = (email: string): Address => {
  const at = email.lastIndexOf('@');
  return at < 0 ? { local: email, domain: '' } : { local: email.slice(0, at), domain: email.slice(at + 1) };
};

/**
 * One match for each address, in their order; an address of several users has one for each of them. Throws BAD_USER_INPUT and
 * TOO_LARGE.
 */
export async function matchEmails(
  context: Context,
  emails: readonly string[],
  profileId: string | null | undefined,
): Promise<EmailMatch[]> {
  permit(context, 'admin:read');
  requireEmails(emails);
  const addresses = emails.map((email) => email.trim());
  const users = await context.reads.rows<{ email: string; userId: number; userProfileId: number | null }>(
    `select asked.email, u.user_id as "userId", (
       select min(user_profile_id) from user_profiles link
       where link.user_id = u.user_id and link.profile_id = $2::text and ${lasts('link')}) as "userProfileId"
     from unnest($1::text[]) asked (email) join users u on ${nameKey('u.email')} = ${nameKey('asked.email')} order by u.user_id`,
    [[...new Set(addresses)], profileId ?? null],
  );
  const byEmail = Map.groupBy(users, ({ email }) => email);
  const unknown = [...new Set(addresses.filter((email) => email !== '' && !byEmail.has(email)))];
  const suggested = await suggest(context, unknown);
  return emails.flatMap<EmailMatch>((email, index) => {
    const own = byEmail.get(addresses[index]!);
    if (!own)
      return [{ email, userId: null, suggestedUserId: suggested.get(addresses[index]!) ?? null, userProfileId: null }];
    return own.map(({ userId, userProfileId }) => ({ email, userId, suggestedUserId: null, userProfileId }));
  });
}

function requireEmails(emails: readonly string[]): void {
  if (emails.length > emailsMax) throw tooLarge(`At most ${emailsMax} e-mail addresses can be matched at once.`);
  const problems: Problems = {};
  emails.forEach((email, index) => {
    if (email.length > emailCharactersMax || !isStorable(email))
      problems[`emails[${index}]`] = [`An e-mail address has at most ${emailCharactersMax} characters of plain text.`];
  });
  if (Object.keys(problems).length > 0) throw badInput(problems);
}

/** Numbers of the users with the most similar addresses, by the address that no user has. */
async function suggest(context: Context, emails: readonly string[]): Promise<Map<string, number>> {
  if (emails.length === 0) return new Map();
  const queries = emails.map((email) => {
    const address = addressOf(fold(email));
    return { email, ...address, letters: lettersOf(address.local) };
  });
  const byStart = new Map<string, typeof queries>();
  const byEnd = new Map<string, typeof queries>();
  const note = (map: typeof byStart, part: string, query: (typeof queries)[number]) => {
    const noted = map.get(part);
    if (noted) noted.push(query);
    else map.set(part, [query]);
  };
  for (const query of queries) {
    const { local } = query;
    // a user's local part has a letter more or less, or as many: one of its halves is the same
    const lengths = [local.length - 1, local.length, local.length + 1].filter((length) => length > 0);
    for (const size of new Set(lengths.map((length) => Math.floor(length / 2))))
      if (size > 0) note(byStart, local.slice(0, size), query);
    for (const size of new Set(lengths.map((length) => Math.ceil(length / 2)))) note(byEnd, local.slice(-size), query);
  }
  const users = await context.reads.rows<{ email: string; userId: number }>(
    `select email, user_id as "userId" from (
       select email, user_id, split_part(email, '@', 1) as local from (
         select ${foldedSql('email')} as email, user_id from users where email <> '' offset 0) folded) u
     where left(local, length(local) / 2) = any($1::text[]) or right(local, (length(local) + 1) / 2) = any($2::text[])
     order by user_id limit ${candidatesMax}`,
    [[...byStart.keys()], [...byEnd.keys()]],
  );
  const best = new Map<string, { userId: number; edits: number }>();
  let comparisons = 0;
  for (const [index, { email, userId }] of users.entries()) {
    // lets other requests run between the parts of a long comparison
    if (index % 500 === 499) await new Promise(setImmediate);
    const { local, domain } = addressOf(email);
    const letters = lettersOf(local);
    const starts = byStart.get(local.slice(0, Math.floor(local.length / 2))) ?? [];
    const ends = byEnd.get(local.slice(-Math.ceil(local.length / 2))) ?? [];
    for (const query of new Set([...starts, ...ends])) {
      const bestMatch = best.get(query.email);
      if ((bestMatch && bestMatch.edits <= 1) || countBits(letters ^ query.letters) > 2 * editsMax) continue;
      if (++comparisons > comparisonsMax) break;
      const domainEdits = countEdits(query.domain, domain);
      const edits = domainEdits > editsMax ? domainEdits : domainEdits + countEdits(query.local, local);
      if (edits <= editsMax && (!bestMatch || edits < bestMatch.edits)) best.set(query.email, { userId, edits });
    }
  }
  return new Map([...best].map(([email, { userId }]) => [email, userId]));
}

/** The number of edits (optimal string alignment); a number above `editsMax` if there are more. */
function countEdits(one: string, other: string): number {
  if (one === other) return 0;
  if (Math.abs(one.length - other.length) > editsMax) return editsMax + 1;
  let [twoBefore, before] = [[] as number[], Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      const isExchanged = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row[j] = Math.min(
        before[j]! + 1,
        row[j - 1]! + 1,
        before[j - 1]! + (isSame ? 0 : 1),
        isExchanged ? twoBefore[j - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
    if (Math.min(...row) > editsMax) return editsMax + 1;
    [twoBefore, before] = [before, row];
  }
  return before[other.length]!;
}
