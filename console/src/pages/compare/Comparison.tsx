/** Two profiles or two users side by side: what only one has, and what both have, each list to its end. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useAddress } from '../../address';
import type { Picks } from '../../picks';
import { Failure } from '../../ui/Failure';
import { Icon } from '../../ui/icons';
import { PartList, useParts } from '../../ui/PartList';
import { Picker } from '../../ui/Picker';
import { SaveCsv } from '../../ui/SaveCsv';
import type { ComparedItem, ComparedList, Pair, Side } from './lists';
import '../../theme/compare.css';

interface CompareSearch {
  left?: string;
  right?: string;
  view?: string;
}

export type Counts = { [side in Side]: number };

export interface Compared {
  /** Names; undefined: there is no such record. */
  left: string | undefined;
  right: string | undefined;
  /** The counts by the keys of the lists. */
  counts: Readonly<Record<string, Counts>>;
}

interface ComparisonProps {
  title: string;
  sub: string;
  /** Where the records are listed. */
  list: { to: '/profiles' | '/users'; label: string };
  /** What one of them is. */
  one: string;
  lists: readonly ComparedList[];
  read: (pair: Pair, signal: AbortSignal) => Promise<Compared>;
  /** The name of a record while the other one is not chosen yet. */
  readName: (id: string, signal: AbortSignal) => Promise<string | undefined>;
  usePicks: (text: string | undefined) => Picks;
  isRound?: boolean;
  /** What may be done with an item that only one side has. */
  act?: (item: ComparedItem, list: ComparedList, to: { id: string; name: string }) => ReactNode;
  /** What is said of both, beside the lists. */
  more?: (pair: Pair, names: Pair) => ReactNode;
}

/** What the service calls the lists. */
const exportsOf: Readonly<Record<string, string>> = {
  scopes: 'comparedScopes',
  applications: 'comparedApplications',
  people: 'comparedPeople',
  profiles: 'comparedProfiles',
};

export function Comparison(props: ComparisonProps) {
  const { title, sub, list, lists, read, readName, act, more } = props;
  const [{ left = '', right = '', view }, change] = useAddress<CompareSearch>();
  const isWhole = left !== '' && right !== '' && left !== right;
  const compared = useQuery({
    queryKey: ['compared', list.to, left, right],
    enabled: isWhole,
    queryFn: ({ signal }) => read({ left, right }, signal),
  });
  const alone = useQuery({
    queryKey: ['to compare', list.to, left, right],
    enabled: !isWhole && Boolean(left || right),
    queryFn: async ({ signal }) => ({
      left: left ? await readName(left, signal) : undefined,
      right: right ? await readName(right, signal) : undefined,
    }),
  });
  const names = isWhole ? compared.data : alone.data;
  const shown = lists.find(({ key }) => key === view) ?? lists[0]!;
  const counts = compared.data?.counts;
  return (
    <div className="page">
      <nav className="crumbs" aria-label="Where this is">
        <ol>
          <li>
            <Link to={list.to}>{list.label}</Link>
            <Icon name="right" size={14} />
          </li>
          <li aria-current="page">Compare</li>
        </ol>
      </nav>
      <div className="head">
        <div>
          <h1>{title}</h1>
          <p className="sub">{sub}</p>
        </div>
        <div className="head-acts">
          {counts && names && isWhole && (
            <SaveCsv
              label={`${shown.label} of ${names.left} and ${names.right}`}
              list={{
                list: exportsOf[shown.key]!,
                filter: null,
                orderBy: [],
                of: { compared: list.to === '/users' ? 'user' : 'profile', left, right },
              }}
            />
          )}
        </div>
      </div>
      <div className="compared-pair">
        <Chosen {...props} id={left} name={names?.left} onPick={(id) => change({ left: id })} />
        <Chosen {...props} id={right} name={names?.right} onPick={(id) => change({ right: id })} isOpen={left !== ''} />
      </div>
      {left !== '' && left === right && (
        <p className="notice near" role="alert">
          Both are the same. Choose another one.
        </p>
      )}
      {compared.error && <Failure error={compared.error} retry={() => void compared.refetch()} />}
      {counts && names && isWhole && (
        <>
          <div className="figures">
            {lists.map(({ key, label }) => (
              <Figures
                key={key}
                label={label}
                counts={counts[key]!}
                names={{ left: names.left ?? '', right: names.right ?? '' }}
                isShown={key === shown.key}
                onShow={() => change({ view: key === lists[0]!.key ? '' : key })}
              />
            ))}
          </div>
          {more?.({ left, right }, { left: names.left ?? '', right: names.right ?? '' })}
          <div className="compared">
            <Column
              list={shown}
              pair={{ left, right }}
              side="onlyLeft"
              title={`Only ${names.left}`}
              act={(item) => act?.(item, shown, { id: right, name: names.right ?? right })}
            />
            <Column list={shown} pair={{ left, right }} side="both" title="Both" />
            <Column
              list={shown}
              pair={{ left, right }}
              side="onlyRight"
              title={`Only ${names.right}`}
              act={(item) => act?.(item, shown, { id: left, name: names.left ?? left })}
            />
          </div>
        </>
      )}
    </div>
  );
}

interface ChosenProps extends ComparisonProps {
  id: string;
  name: string | undefined;
  onPick: (id: string) => void;
  /** Whether its options are there at once, because it is the next to be chosen. */
  isOpen?: boolean;
}

function Chosen({ id, name, onPick, one, usePicks, isRound = false, isOpen = false }: ChosenProps) {
  const [isChanging, setChanging] = useState(false);
  if (id !== '' && !isChanging)
    return (
      <section className="card chosen-one" aria-label={name ?? one}>
        <span className="two-lines">
          <b>{name ?? '…'}</b>
          {name === undefined ? null : <small>{isRound ? '' : id}</small>}
        </span>
        <span className="grow" />
        <button
          type="button"
          className="button small"
          aria-label={`Change ${name ?? one}`}
          onClick={() => setChanging(true)}
        >
          Change
        </button>
      </section>
    );
  return (
    <section className="card chosen-one" aria-label={`Choose a ${one}`}>
      <Choice
        {...{ one, usePicks, isRound }}
        isOpen={isOpen || isChanging}
        onPick={(next) => {
          setChanging(false);
          onPick(next);
        }}
      />
    </section>
  );
}

type ChoiceProps = Pick<ChosenProps, 'one' | 'usePicks' | 'isRound' | 'isOpen' | 'onPick'>;

function Choice({ one, usePicks, isRound = false, isOpen = false, onPick }: ChoiceProps) {
  const [text, setText] = useState<string | undefined>(isOpen ? '' : undefined);
  const picks = usePicks(text);
  return (
    <Picker
      label={`Compare with which ${one}`}
      placeholder={isRound ? 'Name or e-mail' : 'Name'}
      value={null}
      round={isRound}
      autoFocus={isOpen}
      isOpenAtOnce={isOpen}
      {...picks}
      total={picks.total}
      onText={setText}
      onPick={({ id }) => onPick(id)}
    />
  );
}

interface FiguresProps {
  label: string;
  counts: Counts;
  names: Pair;
  isShown: boolean;
  onShow: () => void;
}

/** Each leads to the list that it counts. */
const Figures = ({ label, counts, names, isShown, onShow }: FiguresProps) => (
  <button type="button" aria-pressed={isShown} onClick={onShow}>
    <span className="figures-label">{label}</span>
    {[
      [`only ${names.left}`, counts.onlyLeft] as const,
      ['both', counts.both] as const,
      [`only ${names.right}`, counts.onlyRight] as const,
    ].map(([words, count]) => (
      <span key={words}>
        <b>{count.toLocaleString('en')}</b>
        <small title={words}>{words}</small>
      </span>
    ))}
  </button>
);

interface ColumnProps {
  list: ComparedList;
  pair: Pair;
  side: Side;
  title: string;
  act?: (item: ComparedItem) => ReactNode;
}

function Column({ list, pair, side, title, act }: ColumnProps) {
  const client = useQueryClient();
  // one request for the beginning of all three
  const first = () =>
    client.fetchQuery({
      queryKey: ['compared first', list.key, pair],
      queryFn: ({ signal }) => list.readFirst(pair, signal),
    });
  const parts = useParts(['compared list', list.key, pair, side], async (after, signal) =>
    after === null ? (await first())[side] : list.readOn(pair, side, after, signal),
  );
  return (
    <section className="card" aria-label={`${list.label}: ${title}`}>
      <header>
        <h2 title={title}>{title}</h2>
        {parts.total !== undefined && <span className="count">{parts.total.toLocaleString('en')}</span>}
      </header>
      <PartList parts={parts} empty={<p className="note">None.</p>}>
        {(items) => (
          <ul className="items">
            {items.map((item) => (
              <li key={item.key}>
                {item.content}
                {act?.(item)}
              </li>
            ))}
          </ul>
        )}
      </PartList>
    </section>
  );
}
