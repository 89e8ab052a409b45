/** One access review: a row for each grant, decided by keys. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { type ListSearch, sortAmong, sortOf, useAddress, viewAmong } from '../address';
import { ask } from '../graph';
import type { ReviewHeadQuery, ReviewItemFilter, ReviewItemRowsQuery } from '../operations/generated/graph';
import { reviewHead, reviewItemRows, reviewOwnerName } from '../operations/generated/reviews';
import { usePages } from '../pages';
import { useMay } from '../session';
import { Loading, NotFound } from '../ui/Empty';
import { Failure } from '../ui/Failure';
import { List } from '../ui/List';
import type { Column } from '../ui/Row';
import { Segments } from '../ui/Segments';
import { exactTime, Time } from '../ui/Time';
import { useSelection } from '../ui/useSelection';
import { fullName, nameAndMail, plural } from '../words';
import { Cancel } from './review/Cancel';
import { type Decision, useDecisions } from './review/decisions';
import { Evidence } from './review/Evidence';
import { Finish } from './review/Finish';
import { Grant } from './review/Grant';
import { nameOfItem } from './review/itemName';
import { Owners, ownerless } from './review/Owners';
import '../theme/reviews.css';

type Head = NonNullable<ReviewHeadQuery['review']>;
type Item = NonNullable<ReviewItemRowsQuery['review']>['items']['nodes'][number];
interface ReviewSearch extends ListSearch {
  /** Id of the owner's profile; `ownerless`. */
  owner?: string;
}

type View = 'mine' | 'never' | 'unused' | 'unusual' | 'decided' | 'all';

const filters: Record<View, ReviewItemFilter> = {
  mine: { mine: true, decision: ['UNDECIDED'] },
  never: { mine: true, neverUsed: true },
  unused: { mine: true, unusedDays: 90 },
  unusual: { mine: true, unusual: true },
  decided: { mine: true, decision: ['KEEP', 'END', 'END_AT'] },
  all: {},
};

function viewsOf({ mine, total }: Head['counts']): [View, string][] {
  const words = (label: string, count: number) => `${label} ${count.toLocaleString('en')}`;
  return [
    ['mine', words('Mine', mine.undecided)],
    ['never', words('Never used', mine.neverUsed)],
    ['unused', words('Not used for 90 days', mine.unused)],
    ['unusual', words('More than colleagues', mine.unusual)],
    ['decided', words('Decided', mine.decided)],
    ['all', words('All', total)],
  ];
}

export function Review() {
  const { guid } = useParams({ strict: false }) as { guid: string };
  const head = useQuery({
    queryKey: ['reviews', 'head', guid],
    queryFn: async ({ signal }) => (await ask(reviewHead, { reviewGuid: guid }, signal)).review,
  });
  if (head.isPending) return <Loading lines={6} />;
  if (head.error) return <Failure error={head.error} retry={() => void head.refetch()} />;
  if (!head.data) return <NotFound />;
  return <Shown review={head.data} />;
}

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

function Shown({ review }: { review: Head }) {
  const { reviewGuid, name, state, dueAt, finishedAt, finishedByNavigation, undecided, counts } = review;
  const [search, change] = useAddress<ReviewSearch>();
  const views = viewsOf(counts);
  const view = viewAmong(views, search.view);
  const isOpen = state === 'OPEN';
  const mayFinish = useMay('admin:security') && isOpen;
  const [sheet, setSheet] = useState<'finish' | 'cancel' | 'owners' | 'evidence'>();
  const closeSheet = () => setSheet(undefined);
  const [shown, setShown] = useState<Item>();
  const closeShown = useCallback(() => setShown(undefined), []);
  const [endDay, setEndDay] = useState(inDays(30));
  const deciding = useDecisions(reviewGuid);
  const selection = useSelection();
  const columns = useMemo(() => columnsOf(deciding.decided), [deciding.decided]);
  const sort = sortAmong(columns, search.sort) ?? 'userName';
  const filter = {
    ...filters[view],
    ...(search.q && { text: search.q }),
    ...(search.owner && { owner: search.owner === ownerless ? '' : search.owner }),
  };
  const { field, direction } = sortOf(sort);
  const isBeside = shown !== undefined;
  const listed = useMemo(
    () => columns.filter(({ key }) => !isBeside || !besideKeys.has(key) || key === field),
    [columns, isBeside, field],
  );
  const pages = usePages(['reviews', 'items', reviewGuid, filter, sort], async (page, signal) => {
    const variables = { ...page, reviewGuid, filter, orderBy: [{ [field]: direction }] };
    return (await ask(reviewItemRows, variables, signal)).review!.items;
  });
  const decisions: Record<string, () => Decision> = {
    k: () => ({ decision: 'KEEP' }),
    e: () => ({ decision: 'END' }),
    d: () => ({ decision: 'END_AT', until: new Date(`${endDay}T23:59:59`).toISOString() }),
    u: () => ({ decision: null }),
  };
  const mayDecide = isOpen && view !== 'all';
  const decide = (key: string, guids: readonly string[]) => deciding.decide(guids, decisions[key]!());
  const acts = Object.fromEntries(
    Object.keys(decisions).map((key) => [key, (item: Item) => decide(key, [item.itemGuid])]),
  );
  const decideSelected = (key: string) => {
    decide(key, [...selection.keys]);
    selection.clear();
  };
  return (
    <div className="page fill">
      <div className="head">
        <div>
          <h1>{name}</h1>
          <p className="sub" aria-live="polite">
            {counts.decided.toLocaleString('en')} of {plural(counts.total, 'grant')} decided ·{' '}
            {isOpen ? `due ${exactTime(dueAt)}` : `${state.toLowerCase()} ${exactTime(finishedAt!)}`}
            {finishedByNavigation && ` by ${nameAndMail(finishedByNavigation)}`}
            {deciding.unsaved > 0 && <b className="near"> · {deciding.unsaved} not saved yet</b>}
          </p>
        </div>
        <span className="grow" />
        <progress max={counts.total} value={counts.decided} aria-label="Decided" />
        <button type="button" className="button" onClick={() => setSheet('owners')}>
          By owner…
        </button>
        <button type="button" className="button" onClick={() => setSheet('evidence')}>
          Save evidence…
        </button>
        {mayFinish && (
          <button type="button" className="button" onClick={() => setSheet('cancel')}>
            Cancel…
          </button>
        )}
        {mayFinish && (
          <button
            type="button"
            className="button primary"
            disabled={deciding.unsaved > 0}
            onClick={() => setSheet('finish')}
          >
            Finish…
          </button>
        )}
      </div>
      {deciding.error ? (
        <div className="bar">
          <Failure error={deciding.error} retry={deciding.retry} />
          <button type="button" className="button" onClick={deciding.discard}>
            Discard {plural(deciding.refused, 'decision')} that {deciding.refused === 1 ? 'was' : 'were'} refused
          </button>
        </div>
      ) : null}
      <div className="review-beside">
        <div className="review-list">
          <List
            label={name}
            one="grant"
            placeholder="Person, department or profile"
            pages={pages}
            columns={listed}
            keyOf={({ itemGuid }) => itemGuid}
            nameOf={nameOfItem}
            defaultSort="userName"
            open={setShown}
            isFaded={({ itemGuid, decision }) => (deciding.decided[itemGuid]?.decision ?? decision) !== null}
            {...(mayDecide && { selection, acts })}
            isCounting
            filters={
              <>
                <Segments label="Grants" value={view} options={views} onChange={(next) => change({ view: next })} />
                <OwnerFilter search={search} onRemove={() => change({ owner: '' })} />
                {mayDecide && (
                  <label className="review-day">
                    D ends on
                    <input
                      className="input"
                      type="date"
                      value={endDay}
                      min={inDays(1)}
                      onChange={({ target }) => target.value && setEndDay(target.value)}
                    />
                  </label>
                )}
              </>
            }
            notice={
              <p className="sub hide-small">
                {mayDecide && 'K keep · E end · D end on the date · U undo · X select · '}↵ why
              </p>
            }
            empty="Nothing of this review is for you."
          />
        </div>
        {shown && (
          <Grant
            key={shown.itemGuid}
            item={shown}
            {...(mayDecide && {
              acts: Object.entries(decideWords).map(([key, label]) => ({
                label: key === 'd' ? `${label} ${endDay}` : label,
                isChosen: decisions[key]!().decision === (deciding.decided[shown.itemGuid] ?? shown).decision,
                act: () => decide(key, [shown.itemGuid]),
              })),
            })}
            onClose={closeShown}
          />
        )}
      </div>
      {mayDecide && selection.keys.size > 0 && (
        <section className="dock over" aria-label="Selection">
          <b role="status">{plural(selection.keys.size, 'grant')} selected</b>
          <span className="grow" />
          {Object.entries(decideWords).map(([key, label]) => (
            <button key={key} type="button" className="button on-dark" onClick={() => decideSelected(key)}>
              {key === 'd' ? `${label} ${endDay}` : label}
            </button>
          ))}
        </section>
      )}
      {sheet === 'finish' && (
        <Finish reviewGuid={reviewGuid} counts={counts} undecided={undecided} onClose={closeSheet} />
      )}
      {sheet === 'cancel' && (
        <Cancel reviewGuid={reviewGuid} name={name} decided={counts.decided} onClose={closeSheet} />
      )}
      {sheet === 'owners' && <Owners reviewGuid={reviewGuid} onClose={closeSheet} />}
      {sheet === 'evidence' && <Evidence reviewGuid={reviewGuid} name={name} isOpen={isOpen} onClose={closeSheet} />}
    </div>
  );
}

/** Columns that give room to the grant beside the list. */
const besideKeys = new Set(['grantedAt', 'lastUsedAt', 'opens']);

const decideWords = { k: 'Keep', e: 'End', d: 'End on', u: 'Undo' };

/** Present where the address is that of an owner's part. */
function OwnerFilter({ search: { owner }, onRemove }: { search: ReviewSearch; onRemove: () => void }) {
  const { data } = useQuery({
    queryKey: ['reviews', 'owner', owner],
    enabled: owner !== undefined && owner !== ownerless,
    queryFn: async ({ signal }) => (await ask(reviewOwnerName, { profileId: owner! }, signal)).profile,
  });
  if (!owner) return null;
  const name = owner === ownerless ? 'none' : (data?.name ?? owner);
  return (
    <button type="button" className="button" aria-label={`Remove the filter Owner: ${name}`} onClick={onRemove}>
      Owner: {name} ×
    </button>
  );
}

const decisionWords = { KEEP: 'Keep', END: 'End', END_AT: 'End on' } as const;
const outcomeWords: Record<string, string> = {
  KEPT: 'Kept',
  ENDED: 'Ended',
  END_SET: 'End set',
  CHANGED: 'Changed since, not touched',
};

const columnsOf = (decided: Readonly<Record<string, Decision>>): Column<Item>[] => [
  {
    key: 'userName',
    label: 'Person',
    width: 'minmax(200px, 1.4fr)',
    sorts: true,
    keepSmall: true,
    cell: ({ kind, userName, userEmail, department, accessScopeName }) => (
      <span className="two-lines">
        <b>{kind === 'USER_PROFILE' ? (userName ?? userEmail ?? 'unnamed person') : accessScopeName}</b>
        <small>{kind === 'USER_PROFILE' ? [userEmail, department].filter(Boolean).join(' · ') : 'Access scope'}</small>
      </span>
    ),
  },
  {
    key: 'profileName',
    label: 'Profile',
    width: 'minmax(160px, 1fr)',
    sorts: true,
    cell: ({ profileName, roleId, isUnusual }) => (
      <span className="two-lines">
        <b>{profileName}</b>
        <small>
          {roleId}
          {isUnusual && <span className="near"> · few colleagues hold it</span>}
        </small>
      </span>
    ),
  },
  {
    key: 'grantedAt',
    label: 'Granted',
    width: '150px',
    sorts: true,
    cell: ({ grantedAt, grantedByNavigation }) => (
      <span className="two-lines">
        <Time iso={grantedAt} />
        <small>{grantedByNavigation && fullName(grantedByNavigation)}</small>
      </span>
    ),
  },
  {
    key: 'lastUsedAt',
    label: 'Last used',
    width: '120px',
    sorts: true,
    cell: ({ kind, lastUsedAt }) => (kind === 'USER_PROFILE' ? <Time iso={lastUsedAt} absent="never" /> : '—'),
  },
  {
    key: 'opens',
    label: 'Opens',
    width: '120px',
    sorts: true,
    cell: ({ opens }) => plural(opens, 'application'),
  },
  {
    key: 'decidedAt',
    label: 'Decision',
    width: '150px',
    sorts: true,
    keepSmall: true,
    cell: (item) => <Decided item={item} here={decided[item.itemGuid]} />,
  },
];

function Decided({ item, here }: { item: Item; here: Decision | undefined }) {
  if (item.outcome) return outcomeWords[item.outcome];
  const { decision, until } = here ?? item;
  if (!decision) return <span className="mute">—</span>;
  return (
    <b className={decision === 'KEEP' ? 'gain' : 'loss'}>
      {decisionWords[decision]}
      {until && ` ${until.slice(0, 10)}`}
    </b>
  );
}
