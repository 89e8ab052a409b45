/** One access review: a row for each grant, decided by keys. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type ListSearch, sortAmong, sortOf, useAddress, viewAmong } from '../address';
import { dayIn, endDate, endOf, inServiceZone, shortDate } from '../grantEnd';
import { ask } from '../graph';
import type { ReviewHeadQuery, ReviewItemFilter, ReviewItemRowsQuery } from '../operations/generated/graph';
import { reviewHead, reviewItemRows, reviewOwnerName } from '../operations/generated/reviews';
import { usePages } from '../pages';
import { useMay } from '../session';
import { Loading, NotFound } from '../ui/Empty';
import { Failure } from '../ui/Failure';
import { Icon } from '../ui/icons';
import { countWords, List, useIsNarrowed } from '../ui/List';
import { More } from '../ui/More';
import { usePrinting } from '../ui/printing';
import type { Column } from '../ui/Row';
import { SaveCsv } from '../ui/SaveCsv';
import { Segments } from '../ui/Segments';
import { IconTile, Tile } from '../ui/Tile';
import { exactTime, LastUse } from '../ui/Time';
import { useSelection } from '../ui/useSelection';
import { capital, fullName, nameAndMail, plural } from '../words';
import { Cancel } from './review/Cancel';
import { type Decision, useDecisions } from './review/decisions';
import { Evidence } from './review/Evidence';
import { Finish } from './review/Finish';
import { Grant } from './review/Grant';
import { nameOfItem } from './review/itemName';
import { Owners, ownerless } from './review/Owners';
import { outcomeWords } from './review/outcomeWords';
import { Progress } from './review/Progress';
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

function viewsOf({ mine, total, usesCountedSince }: Head['counts']): [View, string, number][] {
  return [
    ['mine', 'Mine', mine.undecided],
    ['never', `Never used since ${shortDate(usesCountedSince)}`, mine.neverUsed],
    ['unused', 'Not used for 90 days', mine.unused],
    ['unusual', 'More than colleagues', mine.unusual],
    ['decided', 'Decided', mine.decided],
    ['all', 'All', total],
  ];
}

export function Review() {
  const { guid } = useParams({ strict: false }) as { guid: string };
  const head = useQuery({
    queryKey: ['reviews', 'head', guid],
    queryFn: async ({ signal }) => (await ask(reviewHead, { reviewGuid: guid }, signal)).review,
  });
  if (head.isPending) return <Loading lines={6} />;
  if (head.error) return <Failure isPage error={head.error} retry={() => void head.refetch()} />;
  if (!head.data) return <NotFound />;
  return <Shown review={head.data} />;
}

function Shown({ review }: { review: Head }) {
  const { reviewGuid, name, state, dueAt, finishedAt, finishedByNavigation, undecided, counts } = review;
  const [search, change] = useAddress<ReviewSearch>();
  const views = viewsOf(counts);
  const view = viewAmong(views, search.view);
  const isOpen = state === 'OPEN';
  const mayFinish = useMay('admin:security') && isOpen;
  const [sheet, setSheet] = useState<'finish' | 'cancel' | 'owners' | 'evidence'>();
  const closeSheet = () => setSheet(undefined);
  const printing = usePrinting(async (noted) => {
    const { printedReview } = await import('./review/printedReview');
    return printedReview(review, noted);
  });
  const [shown, setShown] = useState<Item>();
  const closeShown = useCallback(() => setShown(undefined), []);
  const [endDay, setEndDay] = useState(() => dayIn(30));
  const deciding = useDecisions(reviewGuid);
  const selection = useSelection();
  const isNarrowed = useIsNarrowed();
  const mayDecide = isOpen && view !== 'all';
  // as it is at the click: the columns stay the same
  const decideOne = useRef<Decide>(() => undefined);
  const columns = useMemo(
    () => columnsOf(deciding.decided, mayDecide ? (...one) => decideOne.current(...one) : undefined),
    [deciding.decided, mayDecide],
  );
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
  const orderBy = [{ [field]: direction }];
  const pages = usePages(
    ['reviews', 'items', reviewGuid, filter, sort],
    async (page, signal) => (await ask(reviewItemRows, { ...page, reviewGuid, filter, orderBy }, signal)).review!.items,
    { exported: { list: 'reviewItems', filter, orderBy, of: { reviewGuid } } },
  );
  const { read } = deciding;
  useEffect(() => read(pages.rows), [read, pages.rows]);
  const item = pages.rows.find(({ itemGuid }) => itemGuid === shown?.itemGuid) ?? shown;
  const decisions: Record<string, () => Decision> = {
    k: () => ({ decision: 'KEEP' }),
    e: () => ({ decision: 'END' }),
    d: () => ({ decision: 'END_AT', until: endOf(endDay) }),
    u: () => ({ decision: null }),
  };
  const decide = (key: string, guids: readonly string[]) => deciding.decide(guids, decisions[key]!());
  decideOne.current = (key, guid) => decide(key, [guid]);
  const acts = Object.fromEntries(
    Object.keys(decisions).map((key) => [key, (item: Item) => decide(key, [item.itemGuid])]),
  );
  const decideSelected = (key: string) => {
    decide(key, [...selection.keys]);
    selection.clear();
  };
  return (
    <div className="page fill">
      <nav className="crumbs" aria-label="Where this page is">
        <ol>
          <li>
            <Link to="/reviews">Access reviews</Link>
            <Icon name="right" size={14} />
          </li>
          <li aria-current="page">{name}</li>
        </ol>
      </nav>
      <div className="head">
        <div>
          <h1>{name}</h1>
          <p className="sub" aria-live="polite">
            {counts.decided.toLocaleString('en')} of {plural(counts.total, 'grant')} decided ·{' '}
            {isOpen ? `due ${endDate(dueAt)}` : `${state.toLowerCase()} ${exactTime(finishedAt!)}`}
            {finishedByNavigation && ` by ${nameAndMail(finishedByNavigation)}`}
            {deciding.unsaved > 0 && <b className="near"> · {deciding.unsaved.toLocaleString('en')} not saved yet</b>}
          </p>
        </div>
        <div className="head-acts">
          <button type="button" className="button" onClick={() => setSheet('owners')}>
            By owner…
          </button>
          <SaveCsv label={name} list={pages} />
          <button type="button" className="button" onClick={() => setSheet('evidence')}>
            Save evidence…
          </button>
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
          <More label="More about this review">
            <button type="button" onClick={printing.print}>
              <Icon name="print" size={16} />
              Print…
            </button>
            {mayFinish && (
              <button type="button" className="danger" onClick={() => setSheet('cancel')}>
                <Icon name="x" size={16} />
                Cancel…
              </button>
            )}
          </More>
        </div>
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
          <p className="only-heard" aria-live="polite">
            {countWords({ pages, one: 'grant' }, isNarrowed)}
          </p>
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
            {...(mayDecide && { selection, acts })}
            filters={
              <>
                <Segments label="Grants" value={view} options={views} onChange={(next) => change({ view: next })} />
                <OwnerFilter search={search} onRemove={() => change({ owner: '' })} />
                <p className="review-keys">
                  {mayDecide && (
                    <>
                      <KeyHint letter="K" does="keep" />
                      <KeyHint letter="E" does="end" />
                      <KeyHint letter="U" does="undo" />
                      <KeyHint letter="X" does="select" />
                    </>
                  )}
                  <KeyHint letter="↵" does="why" />
                </p>
                {mayDecide && (
                  <label className="review-day">
                    <KeyHint letter="D" does={`end on, until the end of the day${inServiceZone()}`} />
                    <input
                      className="input"
                      type="date"
                      value={endDay}
                      min={dayIn(1)}
                      onChange={({ target }) => target.value && setEndDay(target.value)}
                    />
                  </label>
                )}
              </>
            }
            empty="You have nothing to decide in this review."
          />
        </div>
        {!shown && (
          <Progress reviewGuid={reviewGuid} counts={counts} isOpen={isOpen} onOwners={() => setSheet('owners')} />
        )}
        {item && (
          <Grant
            key={item.itemGuid}
            item={item}
            {...(mayDecide && {
              acts: Object.entries(decideWords).map(([key, label]) => ({
                label: key === 'd' ? `${label} ${endDate(endOf(endDay))}` : label,
                // to take a decision back is none
                isChosen:
                  key === 'u'
                    ? undefined
                    : decisions[key]!().decision === (deciding.decided[item.itemGuid] ?? item).decision,
                act: () => decide(key, [item.itemGuid]),
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
              {key === 'd' ? `${label} ${endDate(endOf(endDay))}` : label}
            </button>
          ))}
        </section>
      )}
      {sheet === 'finish' && <Finish reviewGuid={reviewGuid} undecided={undecided} onClose={closeSheet} />}
      {sheet === 'cancel' && (
        <Cancel reviewGuid={reviewGuid} name={name} decided={counts.decided} onClose={closeSheet} />
      )}
      {printing.sheet}
      {printing.count !== undefined && (
        <p role="status" className="only-heard">
          Reading {printing.count.toLocaleString('en')} grants…
        </p>
      )}
      {sheet === 'owners' && <Owners reviewGuid={reviewGuid} onClose={closeSheet} />}
      {sheet === 'evidence' && <Evidence reviewGuid={reviewGuid} name={name} isOpen={isOpen} onClose={closeSheet} />}
    </div>
  );
}

const KeyHint = ({ letter, does }: { letter: string; does: string }) => (
  <span>
    <kbd>{letter}</kbd> {does}
  </span>
);

/** Columns that give room to the grant beside the list. */
const besideKeys = new Set(['lastUsedAt', 'opens']);

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
const monthOf = (iso: string): string =>
  new Date(iso).toLocaleDateString('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });

type Decide = (key: string, itemGuid: string) => void;

const columnsOf = (decided: Readonly<Record<string, Decision>>, decide: Decide | undefined): Column<Item>[] => [
  {
    key: 'userName',
    label: 'Person',
    width: 'minmax(200px, 1.4fr)',
    sorts: true,
    keepSmall: true,
    cell: ({ kind, userName, userEmail, department, accessScopeName }) => {
      const isPerson = kind === 'USER_PROFILE';
      const name = (isPerson ? (userName ?? userEmail) : accessScopeName) ?? 'unnamed person';
      return (
        <span className="cell-name">
          {isPerson ? <Tile name={name} round /> : <IconTile icon="scope" />}
          <span className="two-lines">
            <b>{name}</b>
            <small>{isPerson ? [userEmail, department].filter(Boolean).join(' · ') : 'Access scope'}</small>
          </span>
        </span>
      );
    },
  },
  {
    key: 'profileName',
    label: 'Profile, and who gave it',
    width: 'minmax(170px, 1fr)',
    sorts: true,
    cell: ({ profileName, isUnusual, managedBy, grantedAt, grantedByNavigation }) => (
      <span className="two-lines">
        <b>{profileName}</b>
        <small title={exactTime(grantedAt)}>
          {managedBy ??
            [grantedByNavigation && fullName(grantedByNavigation), monthOf(grantedAt)].filter(Boolean).join(', ')}
          {isUnusual && <span className="near-text"> · few colleagues hold it</span>}
        </small>
      </span>
    ),
  },
  {
    key: 'lastUsedAt',
    label: 'Last used',
    width: '126px',
    sorts: true,
    cell: ({ kind, lastUsedAt }) => (kind === 'USER_PROFILE' ? <LastUse iso={lastUsedAt} /> : '—'),
  },
  {
    key: 'opens',
    label: 'Opens',
    width: '80px',
    sorts: true,
    cell: ({ opens }) => (
      <span className="cell-number" title={plural(opens, 'application')}>
        {opens.toLocaleString('en')}
      </span>
    ),
  },
  {
    key: 'decidedAt',
    label: 'Decision',
    width: decide ? '214px' : '150px',
    sorts: true,
    keepSmall: true,
    cell: (item) => <Decided item={item} here={decided[item.itemGuid]} decide={decide} />,
  },
];

interface DecidedProps {
  item: Item;
  here: Decision | undefined;
  decide: Decide | undefined;
}

function Decided({ item, here, decide }: DecidedProps) {
  if (item.outcome) return outcomeWords[item.outcome];
  const { decision, until } = here ?? item;
  const day = until && endDate(until);
  if (!decide) {
    if (!decision) return <span className="mute">—</span>;
    return (
      <b className={`decided${decision === 'KEEP' ? '' : ' loss-text'}`}>
        {[decisionWords[decision], day].filter(Boolean).join(' ')}
      </b>
    );
  }
  const isChosen = { keep: decision === 'KEEP', end: decision === 'END' || decision === 'END_AT' };
  return (
    <span className="decide-cell">
      <span className="decide">
        {(['keep', 'end'] as const).map((act) => (
          <button
            key={act}
            type="button"
            className={act}
            tabIndex={-1}
            aria-pressed={isChosen[act]}
            aria-label={`${capital(act)}: ${nameOfItem(item)}`}
            onClick={() => decide(isChosen[act] ? 'u' : act[0]!, item.itemGuid)}
          >
            {capital(act)}
          </button>
        ))}
      </span>
      {day && <small>on {day}</small>}
    </span>
  );
}
