/** The grid: a row for each record, a column for each language. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ClipboardEvent, type CSSProperties, type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import { type Draft, useDrafts } from '../../drafts';
import type { Pages } from '../../pages';
import { useMay } from '../../session';
import { Tile } from '../../ui/Tile';
import { capital } from '../../words';
import { draftTexts, sheetOf, shownText, type TextRow } from './texts';
import '../../theme/texts.css';
import { heightsOf } from '../../ui/Rows';

interface TextGridProps {
  /** Such as “application”. */
  one: string;
  pages: Pages<TextRow>;
  field: 'name' | 'description';
  languages: readonly string[];
}

const rowHeight = 44;

/** Below the columns. */
const scrollBar = 16;

export function TextGrid({ one, pages, field, languages }: TextGridProps) {
  const { at, total, want } = pages;
  const box = useRef<HTMLDivElement>(null);
  const drafts = useDrafts();
  const byKey = useMemo(() => new Map(drafts.map((draft) => [draft.key, draft])), [drafts]);
  const grid = useVirtualizer({
    count: total,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollPaddingStart: 36,
  });
  const shown = grid.getVirtualItems();
  const from = shown[0]?.index ?? 0;
  const to = shown.at(-1)?.index ?? 0;
  useEffect(() => want(from, to), [want, from, to]);
  const paste = (event: ClipboardEvent, index: number, column: number) => {
    const sheet = sheetOf(event.clipboardData.getData('text/plain'));
    if (!sheet) return;
    event.preventDefault();
    draftTexts(
      sheet.flatMap((line, down) =>
        line.flatMap((text, across) => {
          const row = at(index + down);
          const language = languages[column + across];
          return row && language ? [{ row, field, language, text }] : [];
        }),
      ),
    );
  };
  /** ↑ and ↓ stay in the language; ↵ goes on as ↓ does. */
  const keys = (event: KeyboardEvent<HTMLInputElement>, index: number, column: number) => {
    const step = { ArrowDown: 1, Enter: 1, ArrowUp: -1 }[event.key];
    if (!step || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(total - 1, index + step));
    grid.scrollToIndex(next);
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-cell="${next} ${column}"]`)?.focus());
  };
  const style = { ...heightsOf(grid.getTotalSize() + scrollBar), '--languages': languages.length } as CSSProperties;
  return (
    <div
      className={`rows texts${pages.isStale ? ' stale' : ''}`}
      role="table"
      aria-label="Texts"
      aria-rowcount={total + 1}
      ref={box}
      style={style}
    >
      <div className="rows-head" role="row" aria-rowindex={1}>
        <span role="columnheader">{capital(one)}</span>
        {languages.map((language) => (
          <span key={language} role="columnheader">
            {language}
          </span>
        ))}
      </div>
      <div className="rows-space" role="rowgroup" style={{ height: grid.getTotalSize() }}>
        {shown.map(({ key, index, start }) => (
          <TextsRow
            key={key}
            row={at(index)}
            isStale={pages.isStale}
            index={index}
            top={start}
            field={field}
            languages={languages}
            drafts={byKey}
            onPaste={paste}
            onKeys={keys}
          />
        ))}
      </div>
    </div>
  );
}

interface TextsRowProps {
  row: TextRow | undefined;
  /** It has the texts of the question before: what it lacks is not known. */
  isStale: boolean;
  index: number;
  top: number;
  field: 'name' | 'description';
  languages: readonly string[];
  drafts: ReadonlyMap<string, Draft>;
  onPaste: (event: ClipboardEvent, index: number, column: number) => void;
  onKeys: (event: KeyboardEvent<HTMLInputElement>, index: number, column: number) => void;
}

function TextsRow({ row, isStale, index, top, field, languages, drafts, onPaste, onKeys }: TextsRowProps) {
  const mayChange = useMay('admin:write');
  const isReadOnly = isStale || !mayChange || !row?.translationGroup;
  return (
    <div className="row" role="row" aria-rowindex={index + 2} style={{ transform: `translateY(${top}px)` }}>
      <span role="rowheader" className="cell-name">
        {row ? (
          <>
            <Tile name={row.name} size="small" />
            <span className="two-lines">
              <b>{field === 'name' ? row.name : (row.description ?? row.name)}</b>
              {!row.translationGroup && <small>no group of translations</small>}
            </span>
          </>
        ) : (
          <i className="ghost-line" />
        )}
      </span>
      {row &&
        languages.map((language, column) => {
          const { text, isChanged } = shownText(row, field, language, drafts);
          return (
            <span
              key={language}
              role="cell"
              className={isChanged ? 'changed' : text === '' && !isStale ? 'missing' : undefined}
            >
              <input
                className="input"
                data-cell={`${index} ${column}`}
                aria-label={`${row.name}, ${field} in ${language}${isChanged ? ': will be changed' : ''}`}
                placeholder={isReadOnly ? '' : 'missing'}
                readOnly={isReadOnly}
                lang={language}
                dir="auto"
                value={text}
                onPaste={(event) => !isReadOnly && onPaste(event, index, column)}
                onKeyDown={(event) => onKeys(event, index, column)}
                onChange={({ target }) => draftTexts([{ row, field, language, text: target.value }])}
              />
            </span>
          );
        })}
    </div>
  );
}
