/** An access review for the printer: every grant, with what was decided, when and by whom. */
import { endDate, shortDate } from '../../grantEnd';
import { ask } from '../../graph';
import type { ReviewHeadQuery, ReviewItemRowsQuery } from '../../operations/generated/graph';
import { reviewItemRows } from '../../operations/generated/reviews';
import { Printed, PrintedTable } from '../../ui/printing';
import { dayOf, exactTime } from '../../ui/Time';
import { fullName, nameAndMail, plural } from '../../words';
import { outcomeWords } from './outcomeWords';

type Head = NonNullable<ReviewHeadQuery['review']>;
type Item = NonNullable<ReviewItemRowsQuery['review']>['items']['nodes'][number];

const atOnce = 1_000;
const heads = ['Person', 'Profile', 'Given', 'Last used', 'Opens', 'Ends', 'Decision'];

const decisions: Record<string, string> = { KEEP: 'keep', END: 'end', END_AT: 'end on' };

function cellsOf(item: Item, state: Head['state']): string[] {
  const { userName, userEmail, department, accessScopeName, profileName, roleId, role } = item;
  const { decision, until, outcome } = item;
  const who = accessScopeName
    ? `Access scope ${accessScopeName}`
    : [userName ?? 'unnamed person', userEmail, department].filter(Boolean).join(', ');
  const by = item.managedBy ?? (item.grantedByNavigation && fullName(item.grantedByNavigation));
  const decided = item.decidedAt && `, ${shortDate(item.decidedAt)} by ${nameAndMail(item.decidedByNavigation)}`;
  const said = decision
    ? `${decisions[decision]}${until ? ` ${endDate(until)}` : ''}${decided ?? ''}${item.decisionNote ? `: ${item.decisionNote}` : ''}`
    : state === 'OPEN'
      ? 'undecided'
      : 'nobody decided';
  return [
    who,
    `${profileName}${roleId ? ` as ${role?.name ?? roleId}` : ''}${item.isUnusual ? ' (few colleagues hold it)' : ''}`,
    [shortDate(item.grantedAt), by].filter(Boolean).join(', '),
    item.kind === 'USER_PROFILE' ? (item.lastUsedAt ? dayOf(item.lastUsedAt) : 'never') : '',
    item.opens.toLocaleString('en'),
    item.validUntil ? endDate(item.validUntil) : 'no end',
    outcome ? `${said} (${outcomeWords[outcome]!.toLowerCase()})` : said,
  ];
}

/** What the finish did to the grants. */
const outcomesOf = (done: ReadonlyMap<string, number>): string =>
  Object.entries(outcomeWords)
    .map(([outcome, words]) => `${(done.get(outcome) ?? 0).toLocaleString('en')} ${words.toLowerCase()}`)
    .join('; ');

/** What was decided about the grants, which are as they were. */
const decisionsOf = ({ keep, end, endAt, undecided }: Head['counts']): string =>
  [
    `${keep.toLocaleString('en')} to keep`,
    `${end.toLocaleString('en')} to end`,
    `${endAt.toLocaleString('en')} to end on a day`,
  ]
    .concat(`${undecided.toLocaleString('en')} undecided`)
    .join(', ');

/** All grants of the review, whatever the screen shows. */
export async function printedReview(review: Head, noted: (count: number) => void) {
  const { reviewGuid, name, state, note, dueAt, startedAt, startedByNavigation, finishedAt, counts } = review;
  const rows: string[][] = [];
  const done = new Map<string, number>();
  for (let total = 1; rows.length < total; ) {
    const orderBy = [{ profileName: 'ASC' as const }, { userName: 'ASC' as const }, { itemGuid: 'ASC' as const }];
    const page = { reviewGuid, filter: {}, orderBy, first: atOnce, offset: rows.length };
    const { totalCount, nodes } = (await ask(reviewItemRows, page)).review!.items;
    total = totalCount;
    rows.push(...nodes.map((item) => cellsOf(item, state)));
    for (const { outcome } of nodes) if (outcome) done.set(outcome, (done.get(outcome) ?? 0) + 1);
    noted(rows.length);
    if (nodes.length === 0) break;
  }
  const facts = [
    note ?? undefined,
    `Started ${exactTime(startedAt)}${startedByNavigation ? ` by ${nameAndMail(startedByNavigation)}` : ''}; ${
      state === 'OPEN' ? `open, due ${endDate(dueAt)}` : `${state.toLowerCase()} ${exactTime(finishedAt!)}`
    }.`,
    `${plural(counts.total, 'grant')}: ${state === 'FINISHED' ? outcomesOf(done) : decisionsOf(counts)}.${state === 'CANCELLED' ? ' Nothing was ended.' : ''}`,
  ];
  return (
    <Printed title={`Access review: ${name}`} facts={facts}>
      <PrintedTable heads={heads} rows={rows} />
    </Printed>
  );
}
