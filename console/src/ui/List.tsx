/** A list to its last item: search, filters, how many there are, and the rows, or why there are none. */
import { type ReactNode, useCallback } from 'react';
import { type ListSearch, sortAmong, useAddress } from '../address';
import type { Pages } from '../pages';
import { plural } from '../words';
import { Empty } from './Empty';
import { Failure } from './Failure';
import type { Column, Selection } from './Row';
import { Rows } from './Rows';
import { SaveCsv } from './SaveCsv';
import { SearchField } from './SearchField';
import { SortSelect } from './SortSelect';

export interface ListProps<Item> {
  /** The grid's accessible name. */
  label: string;
  /** Such as “application” and, where it is not one with s, “applications”. */
  one: string;
  many?: string;
  /** Where they are: “in the catalogue”. */
  where?: string;
  placeholder: string;
  pages: Pages<Item>;
  columns: readonly Column<Item>[];
  keyOf: (item: Item) => string;
  nameOf: (item: Item) => string;
  open?: (item: Item) => void;
  isFaded?: (item: Item) => boolean;
  defaultSort?: string;
  selection?: Selection;
  acts?: Readonly<Record<string, (item: Item) => void>>;
  filters?: ReactNode;
  /** What everybody who opens the list should know. */
  notice?: ReactNode;
  /** What to say when there is none at all. */
  empty: ReactNode;
  /** What leads to the first one. */
  action?: ReactNode;
  /** Whether the count stands beside the search, and not under a heading. */
  isCounting?: boolean;
}

/** Members of the address that say nothing about which rows there are. */
const others = new Set(['sort', 'tab']);

const narrowing = (search: object): string[] => Object.keys(search).filter((name) => !others.has(name));

export const useIsNarrowed = (): boolean => narrowing(useAddress<ListSearch>()[0]).length > 0;

export function List<Item>(props: ListProps<Item>) {
  const { one, many, placeholder, pages, columns, filters, notice, isCounting = false } = props;
  const [search, change] = useAddress<ListSearch>();
  const sort = sortAmong(columns, search.sort) ?? props.defaultSort ?? 'name';
  const sortBy = (sort: string) => change({ sort });
  const isNarrowed = useIsNarrowed();
  const searchFor = useCallback((q: string) => change({ q }, 'replace'), [change]);
  return (
    <>
      <div className="bar">
        <SearchField
          main
          label={`Search ${many ?? `${one}s`}`}
          placeholder={placeholder}
          value={search.q ?? ''}
          onChange={searchFor}
        />
        {filters}
        <SortSelect columns={columns} sort={sort} onSort={sortBy} />
        {isCounting && (
          <>
            <span className="grow" />
            <span className="count" aria-live="polite">
              {countWords(props, isNarrowed)}
            </span>
            <SaveCsv label={props.label} list={pages} />
          </>
        )}
      </div>
      {notice}
      {pages.error ? (
        <Failure error={pages.error} retry={pages.retry} />
      ) : !pages.isLoading && pages.total === 0 ? (
        <None
          {...props}
          isNarrowed={isNarrowed}
          clear={() => change(Object.fromEntries(narrowing(search).map((name) => [name, ''])))}
        />
      ) : (
        <Rows {...props} sort={sort} onSort={sortBy} />
      )}
    </>
  );
}

type Counted = Pick<ListProps<never>, 'one' | 'many' | 'where'> & { pages: Pages<unknown> };

export function countWords({ pages, one, many, where }: Counted, isNarrowed: boolean): string {
  if (pages.error) return 'Not available at the moment';
  if (pages.isLoading) return 'Loading…';
  if (pages.isStale) return 'Searching…';
  const narrowed = pages.total === 1 ? 'matches' : 'match';
  return `${plural(pages.total, one, many)} ${isNarrowed ? narrowed : (where ?? '')}`.trim();
}

interface NoneProps {
  one: string;
  empty: ReactNode;
  action?: ReactNode;
  isNarrowed: boolean;
  clear: () => void;
}

const None = ({ one, empty, action, isNarrowed, clear }: NoneProps) =>
  isNarrowed ? (
    <Empty
      title={`No ${one} matches`}
      action={
        <button type="button" className="button" onClick={clear}>
          Clear search and filters
        </button>
      }
    >
      Nothing matches this search and these filters.
    </Empty>
  ) : (
    <Empty title={`No ${one}`} action={action}>
      {empty}
    </Empty>
  );
