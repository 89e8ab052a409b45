/** Finds proposals: by state, author and words, and those that wait for the caller. */
import type { Context } from '../../../context.js';
import { actorOf } from '../../../services/permit.js';
import { containsWords, wordsOf } from '../../../services/read/foldedText.js';
import type { Condition } from '../../../services/read/readPages.js';
import { ownedBy } from './owners.js';
import { type ProposalState, stateColumn } from './storedProposals.js';

export interface ProposalCriteria {
  forMe?: boolean | null;
  state?: readonly ProposalState[] | null;
  proposedBy?: string | null;
  isRequest?: boolean | null;
  text?: string | null;
}

/** SQL: whether a proposal waits for the caller: it is open, another person made it, and the caller may decide about it. */
const waitsFor = (alias: string, person: string, permissions: string): string =>
  `(${stateColumn(alias)} = 'OPEN' and ${alias}.proposed_by <> ${person}
    and (${alias}.permission = any(${permissions}) or ${alias}.permission = 'admin:write' and ${ownedBy(alias, person)}))`;

const permissionsOf = ({ caller }: Context): string[] => (caller.kind === 'anonymous' ? [] : [...caller.permissions]);

/** Throws BAD_USER_INPUT. */
export function proposalCondition(
  context: Context,
  { forMe, state, proposedBy, isRequest, text }: ProposalCriteria,
): Condition {
  const words = text ? wordsOf(text, 'filter.text') : [];
  return (statement, alias) => {
    const conditions = ['true'];
    if (typeof forMe === 'boolean') {
      const person = statement.bind(actorOf(context), 'uuid');
      const waits = waitsFor(alias, person, statement.bind(permissionsOf(context), 'text[]'));
      conditions.push(forMe ? waits : `not ${waits}`);
    }
    if (state) conditions.push(`${stateColumn(alias)} = any(${statement.bind(state, 'text[]')})`);
    if (proposedBy) conditions.push(`${alias}.proposed_by = ${statement.bind(proposedBy, 'uuid')}`);
    if (typeof isRequest === 'boolean')
      conditions.push(`(${alias}.requested_application_guid is not null) = ${isRequest}`);
    const author = `(select concat_ws(' ', u.first_name, u.last_name, u.email) from users u where u.user_guid = ${alias}.proposed_by)`;
    const columns = [`${alias}.title`, `${alias}.note`, author];
    conditions.push(containsWords(columns, words, (word) => statement.bind(word, 'text')));
    return conditions.join(' and ');
  };
}

/** How many proposals wait for the caller. */
export async function countWaiting(context: Context): Promise<number> {
  const permissions = permissionsOf(context);
  if (!permissions.includes('admin:read')) return 0;
  const [row] = await context.sql.rows<{ count: number }>(
    `select count(*)::int as count from proposals p where ${waitsFor('p', '$1::uuid', '$2::text[]')}`,
    [actorOf(context), permissions],
  );
  return row!.count;
}
