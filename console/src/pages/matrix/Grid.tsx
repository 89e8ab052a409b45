/** The grid itself: only rows and columns in sight are in the document, and the keyboard goes through all. */
import { useNavigate } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import { dropDrafts, putDrafts, readDrafts, useDrafts } from '../../drafts';
import type { ApplicationFilter, ScopesOfTypeQuery } from '../../operations/generated/graph';
import type { Pages } from '../../pages';
import { useMay } from '../../session';
import { useIsSmall } from '../../ui/isSmall';
import { heightsOf } from '../../ui/Rows';
import { useSignal } from '../../ui/useSignal';
import { holdsWords, plural } from '../../words';
import { cellDraft, flipped, keyOfCell, type MatrixColumn, type MatrixRow, stateOf } from './cells';
import { fillColumn } from './fillColumn';
import { GridRow } from './GridRow';
import { gridKeys } from './gridKeys';

type ScopeType = { accessScopeTypeGuid: string; name: string; isActive: boolean };
type Scope = ScopesOfTypeQuery['accessScopes']['nodes'][number];

interface GridProps {
  type: ScopeType;
  scopes: readonly Scope[];
  pages: Pages<MatrixRow>;
  filter: { and: ApplicationFilter[] } | null;
  /** The state that a cell gets. */
  wanted: string;
}

const headHeight = 132;
/** Below the columns. */
const scrollBar = 16;
const columnWidth = 60;
const large = { rowHeight: 40, firstWidth: 260 };
/** Rows as high as a finger needs, and their line; and no tiles before the names. */
const small = { rowHeight: 45, firstWidth: 150 };

export function Grid({ type, scopes, pages, filter, wanted }: GridProps) {
  const { rows, at, total, want } = pages;
  const columns = useMemo(() => columnsOf(type, scopes), [type, scopes]);
  const titles = useMemo(() => titlesOf(columns), [columns]);
  const navigate = useNavigate();
  const openRow = (guid: string) => void navigate({ to: '/applications/$guid', params: { guid } });
  const isStale = pages.isStale;
  // rows of the question before are not to be changed as if they were those of this one
  const mayChange = useMay('admin:write') && !isStale;
  const isSmall = useIsSmall();
  const signalNow = useSignal(pages.question);
  const { rowHeight, firstWidth } = isSmall ? small : large;
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  /** Column -1 is the row's name. */
  const [[row, column], setAt] = useState<readonly [row: number, column: number]>([0, 0]);
  const drafts = useDrafts();
  const byKey = useMemo(() => new Map(drafts.map((draft) => [draft.key, draft])), [drafts]);
  const vertical = useVirtualizer({
    count: total,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 2,
    scrollPaddingStart: headHeight,
  });
  const horizontal = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => box.current,
    estimateSize: () => columnWidth,
    overscan: 6,
    paddingStart: firstWidth,
    scrollPaddingStart: firstWidth,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: sizes change when the screen becomes small or large
  useEffect(() => {
    vertical.measure();
    horizontal.measure();
  }, [isSmall, vertical, horizontal]);
  const shownRows = vertical.getVirtualItems();
  const shownColumns = horizontal.getVirtualItems();
  const from = shownRows[0]?.index ?? 0;
  const to = shownRows.at(-1)?.index ?? 0;
  useEffect(() => want(from, to), [want, from, to]);
  const current = at(row);
  const { question } = pages;
  const asked = useRef(question);
  useEffect(() => {
    if (asked.current === question) return;
    asked.current = question;
    setAt([0, 0]);
    box.current?.scrollTo({ top: 0, left: 0 });
  }, [question]);

  const flip = useCallback(
    (target: MatrixRow, pressed: MatrixColumn) => {
      if (!mayChange) return;
      const key = keyOfCell(target, pressed);
      if (readDrafts().some((draft) => draft.key === key)) return dropDrafts([key]);
      const state = stateOf(target, pressed);
      putDrafts([cellDraft(target, pressed, state, flipped(state, wanted))]);
    },
    [mayChange, wanted],
  );
  const press = useCallback(
    (index: number, pressed: MatrixRow, number: number) => {
      setAt([index, number]);
      flip(pressed, columns[number]!);
    },
    [flip, columns],
  );
  const move = (nextRow: number, nextColumn: number) => {
    const next = [clamp(nextRow, total), Math.max(-1, Math.min(columns.length - 1, nextColumn))] as const;
    setAt(next);
    vertical.scrollToIndex(next[0]);
    horizontal.scrollToIndex(Math.max(0, next[1]));
    // where the window is short, the page scrolls too
    requestAnimationFrame(() =>
      document.getElementById(`${id}-${next[0]}-${next[1]}`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    );
  };
  const [text, setText] = useState('');
  const hits = useMemo(() => columnsWith(titles, text), [titles, text]);
  const [hit, setHit] = useState(0);
  const marked = hits[hit % Math.max(1, hits.length)];
  /** Goes to a column that was searched for: the current row stays. */
  const see = (index: number, of = hits) => {
    setHit(index);
    const found = of[index % Math.max(1, of.length)];
    if (found === undefined) return;
    setAt(([row]) => [row, found]);
    horizontal.scrollToIndex(found, { align: 'center' });
  };
  const page = Math.max(1, Math.floor(((box.current?.clientHeight ?? 600) - headHeight) / rowHeight) - 1);
  const keys = gridKeys({
    row,
    column,
    page,
    lastColumn: columns.length - 1,
    lastRow: total - 1,
    move,
    flip: () => current && columns[column] && flip(current, columns[column]),
    open: () => current && openRow(current.applicationGuid),
  });
  const style = {
    ...heightsOf(vertical.getTotalSize() + scrollBar, `${headHeight}px`),
    '--columns': columns.length,
    '--column': `${columnWidth}px`,
    '--row': `${rowHeight}px`,
    '--first': `${firstWidth}px`,
  } as CSSProperties;
  return (
    <div
      className={`matrix${isStale ? ' stale' : ''}`}
      role="grid"
      aria-label={`Applications and access scopes of the type ${type.name}`}
      aria-rowcount={total + 1}
      aria-colcount={columns.length + 1}
      aria-readonly={!mayChange}
      aria-activedescendant={current ? `${id}-${row}-${column}` : undefined}
      tabIndex={0}
      ref={box}
      style={style}
      onKeyDown={keys}
    >
      <div className="matrix-head" role="row" aria-rowindex={1}>
        <span className="matrix-corner" role="columnheader" aria-colindex={1}>
          <input
            type="search"
            className="input"
            aria-label={`Find among ${plural(columns.length, 'column')}`}
            placeholder={isSmall ? 'Find a column' : `Find a ${type.name} among ${scopes.length.toLocaleString('en')}`}
            maxLength={200}
            value={text}
            onChange={({ target }) => {
              setText(target.value);
              see(0, columnsWith(titles, target.value));
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
              event.preventDefault();
              see(hit + 1);
            }}
          />
          <span role="status">
            {text.trim() === ''
              ? plural(total, 'application')
              : hits.length === 0
                ? 'No column matches'
                : `${(hit % hits.length) + 1} of ${plural(hits.length, 'column')}`}
          </span>
        </span>
        {shownColumns.map(({ index }) => (
          <Head
            key={columns[index]!.guid}
            column={columns[index]!}
            title={titles[index]!}
            index={index}
            isAt={index === column}
            isMarked={text.trim() !== '' && index === marked}
            onFill={
              mayChange ? () => void fillColumn(columns[index]!, rows, total, filter, wanted, signalNow()) : undefined
            }
          />
        ))}
      </div>
      <div className="rows-space" role="presentation" style={{ height: vertical.getTotalSize() }}>
        {shownRows.map(({ key, index, start }) => (
          <GridRow
            key={key}
            id={id}
            index={index}
            top={start}
            row={at(index)}
            columns={columns}
            from={shownColumns[0]?.index ?? 0}
            to={shownColumns.at(-1)?.index ?? 0}
            isAt={index === row}
            column={column}
            drafts={byKey}
            onPress={press}
          />
        ))}
      </div>
    </div>
  );
}

/** Places of the columns in whose titles every word is a part. */
function columnsWith(titles: readonly string[], text: string): number[] {
  if (text.trim() === '') return [];
  return titles.flatMap((title, index) => (holdsWords(title, text) ? [index] : []));
}

const clamp = (index: number, count: number): number => Math.max(0, Math.min(count - 1, index));

const columnsOf = (type: ScopeType, scopes: readonly Scope[]): MatrixColumn[] => [
  { guid: type.accessScopeTypeGuid, name: `All of ${type.name}`, isActive: type.isActive, isType: true, id: 0 },
  ...scopes.map(({ accessScopeId: id, accessScopeGuid: guid, name, isActive }) => ({
    guid,
    name,
    isActive,
    isType: false,
    id,
  })),
];

/** Names without the words that all of them begin with, such as “Administration:”. */
function titlesOf(columns: readonly MatrixColumn[]): string[] {
  const names = columns.filter(({ isType }) => !isType).map(({ name }) => name);
  const [first = ''] = names;
  let shared = names.length > 1 ? first.length : 0;
  while (
    shared > 0 &&
    !(
      /[ :/–-]$/.test(first.slice(0, shared)) &&
      names.every((name) => name.length > shared && name.startsWith(first.slice(0, shared)))
    )
  )
    shared--;
  return columns.map(({ name, isType }) => (isType ? name : name.slice(shared)));
}

interface HeadProps {
  column: MatrixColumn;
  /** What tells it from the others. */
  title: string;
  index: number;
  isAt: boolean;
  /** Whether it is what the search of columns came to. */
  isMarked: boolean;
  /** Absent where nothing can be changed. */
  onFill: (() => void) | undefined;
}

const Head = ({ column: { name, isActive, isType }, title, index, isAt, isMarked, onFill }: HeadProps) => (
  <span
    role="columnheader"
    className={`matrix-column${isAt ? ' at' : ''}${isActive ? '' : ' faded'}${isType ? ' whole' : ''}${isMarked ? ' marked' : ''}`}
    aria-colindex={index + 2}
    style={{ gridColumn: index + 2 }}
  >
    <button
      type="button"
      tabIndex={-1}
      aria-label={name}
      disabled={!onFill}
      title={`${name}${isActive ? '' : ', out of use'}${onFill ? ': give it to all applications of the list, or remove it from them' : ''}`}
      onClick={onFill}
    >
      <span>{title}</span>
    </button>
  </span>
);
