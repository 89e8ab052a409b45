/** Finds reviews and their items, and counts them for the pages of the console. */
import type { Context } from '../../../context.js';
import { badInput } from '../../../errors.js';
import { findDaysProblem, isUnused } from '../../../services/access/unusedGrants.js';
import { permit } from '../../../services/permit.js';
import { containsWords, wordsOf } from '../../../services/read/foldedText.js';
import { type Condition, type Slice, sliceFrom } from '../../../services/read/readPages.js';
import type { Decision } from './decideItems.js';
import { isChanged, revisionOfDecisions } from './finishReview.js';
import { isMine, reviewerOf } from './reviewers.js';

export const unusedDaysDefault = 90;

export interface ItemCriteria {
  mine?: boolean | null;
  decision?: readonly (Decision | 'UNDECIDED')[] | null;
  neverUsed?: boolean | null;
  unusedDays?: number | null;
  unusual?: boolean | null;
  changed?: boolean | null;
  owner?: string | null;
  text?: string | null;
}

const isUser = (item: string): string => `${item}.kind = 'USER_PROFILE'`;
const neverUsed = (item: string): string => `(${isUser(item)} and ${item}.last_used_at is null)`;
/** SQL: as the overview counts it; the time of the start is that of the grant in reviews that did not keep it. */
const unused = (item: string, days: string): string =>
  `(${isUser(item)} and ${isUnused(`coalesce(${item}.given_at, ${item}.granted_at)`, `${item}.last_used_at`, days)}
    and ${item}.user_guid not in (select user_guid from users where is_blocked))`;

/** Throws BAD_USER_INPUT. */
export function itemCondition(context: Context, reviewId: string, criteria: ItemCriteria): Condition {
  const { mine, decision, unusedDays, owner, text } = criteria;
  const daysProblem = typeof unusedDays === 'number' && findDaysProblem(unusedDays);
  if (daysProblem) throw badInput({ 'filter.unusedDays': [daysProblem] });
  const words = text ? wordsOf(text, 'filter.text') : [];
  const reviewer = reviewerOf(context);
  const bindReviewer = (statement: Parameters<Condition>[0], items: string) => ({
    person: statement.bind(reviewer.guid, 'uuid'),
    legacy: statement.bind(reviewer.legacy, 'text[]'),
    items,
  });
  return (statement, item) => {
    const is = (value: boolean | null | undefined, condition: string): string[] =>
      typeof value === 'boolean' ? [value ? condition : `not ${condition}`] : [];
    const inReview = `review_id = ${statement.bind(reviewId, 'bigint')}`;
    const conditions = [
      `${item}.${inReview}`,
      ...(typeof mine === 'boolean' ? is(mine, isMine(item, bindReviewer(statement, inReview), reviewer)) : []),
      ...is(criteria.neverUsed, neverUsed(item)),
      ...is(criteria.unusual, `${item}.is_unusual`),
      ...is(criteria.changed, isChanged(item)),
    ];
    if (decision)
      conditions.push(`coalesce(${item}.decision, 'UNDECIDED') = any(${statement.bind(decision, 'text[]')})`);
    if (typeof unusedDays === 'number') conditions.push(unused(item, statement.bind(unusedDays, 'int')));
    if (owner) conditions.push(`${item}.owner_profile_id = ${statement.bind(owner, 'text')}`);
    else if (owner === '') conditions.push(`${item}.owner_profile_id is null`);
    const texts = ['user_name', 'user_email', 'department', 'profile_name', 'access_scope_name'];
    const columns = texts.map((column) => `${item}.${column}`);
    conditions.push(containsWords(columns, words, (word) => statement.bind(word, 'text')));
    return conditions.join(' and ');
  };
}

/** Throws BAD_USER_INPUT. */
export function reviewCondition(
  states: readonly string[] | null | undefined,
  text: string | null | undefined,
): Condition {
  const words = text ? wordsOf(text, 'filter.text') : [];
  return (statement, review) => {
    const inState = states ? `${review}.state = any(${statement.bind(states, 'text[]')})` : 'true';
    return `${inState} and ${containsWords([`${review}.name`], words, (word) => statement.bind(word, 'text'))}`;
  };
}

export interface ReviewCounts {
  total: number;
  decided: number;
  undecided: number;
  keep: number;
  end: number;
  endAt: number;
  changed: number;
  revision: number;
  mine: { total: number; decided: number; undecided: number; neverUsed: number; unused: number; unusual: number };
}

/** The numbers of items; `mine` counts those that the caller decides about. */
export async function countItems(context: Context, reviewId: string): Promise<ReviewCounts> {
  permit(context, 'admin:read');
  const reviewer = reviewerOf(context);
  const count = (condition: string) => `count(*) filter (where ${condition})::int`;
  // the offset keeps PostgreSQL from planning and computing again what an item is for each number
  const [row] = await context.sql.rows<ReviewCounts>(
    `select count(*)::int as total, ${count('decision is not null')} as decided, ${count('decision is null')} as undecided,
       ${count("decision = 'KEEP'")} as keep, ${count("decision = 'END'")} as "end", ${count("decision = 'END_AT'")} as "endAt",
       ${count('is_changed')} as changed, ${revisionOfDecisions} as revision,
       jsonb_build_object('total', ${count('mine')}, 'decided', ${count('mine and decision is not null')},
         'undecided', ${count('mine and decision is null')}, 'neverUsed', ${count(`mine and ${neverUsed('item')}`)},
         'unused', ${count(`mine and ${unused('item', String(unusedDaysDefault))}`)}, 'unusual', ${count('mine and is_unusual')}) as mine
     from (select item.*, ${isChanged('item')} as is_changed,
         ${isMine('item', { person: '$2::uuid', legacy: '$3::text[]', items: 'review_id = $1::bigint' }, reviewer)} as mine
       from review_items item where review_id = $1::bigint offset 0) item`,
    [reviewId, reviewer.guid, reviewer.legacy],
  );
  return row!;
}

interface OwnerProgress {
  /** Null: no owner; the items are for admin:security. */
  profileId: string | null;
  decided: number;
  total: number;
}

/** Progress by owner, most undecided first. */
export async function listOwnerProgress(
  context: Context,
  reviewId: string,
  place: { start: number; first: number },
): Promise<Slice<OwnerProgress>> {
  permit(context, 'admin:read');
  const rows = await context.sql.rows<OwnerProgress>(
    `select owner_profile_id as "profileId", count(*) filter (where decision is not null)::int as decided, count(*)::int as total
     from review_items where review_id = $1::bigint group by owner_profile_id
     order by count(*) filter (where decision is null) desc, owner_profile_id nulls first`,
    [reviewId],
  );
  return sliceFrom(rows, place);
}
