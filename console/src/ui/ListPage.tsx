/** A page that is a list: its heading with the count, search, filters, and the rows or why there are none. */
import type { ReactNode } from 'react';
import { type ListSearch, sortAmong, useAddress } from '../address';
import type { Pages } from '../pages';
import { plural } from '../words';
import { Empty } from './Empty';
import { Failure } from './Failure';
import type { Column, Selection } from './Row';
import { Rows } from './Rows';
import { SearchField } from './SearchField';
import { SortSelect } from './SortSelect';

interface ListPageProps<Item> {
  title: string;
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
  action?: ReactNode;
  filters?: ReactNode;
  /** What everybody who opens the list should know. */
  notice?: ReactNode;
  /** What to say when there is none at all. */
  empty: ReactNode;
  children?: ReactNode;
}

export function ListPage<Item>(props: ListPageProps<Item>) {
  const { title, one, many, placeholder, pages, columns, action, filters, notice, children } = props;
  const [search, change] = useAddress<ListSearch>();
  const sort = sortAmong(columns, search.sort) ?? props.defaultSort ?? 'name';
  const sortBy = (sort: string) => change({ sort });
  const isNarrowed = Boolean(search.q || search.view || search.type);
  const searchFor = (q: string) => change({ q }, 'replace');
  return (
    <div className="page fill">
      <div className="head">
        <div>
          <h1>{title}</h1>
          <p className="sub" aria-live="polite">
            {countWords(props, isNarrowed)}
          </p>
        </div>
        <span className="grow" />
        {action}
      </div>
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
      </div>
      {notice}
      {pages.error ? (
        <Failure error={pages.error} retry={pages.retry} />
      ) : !pages.isLoading && pages.total === 0 ? (
        <None {...props} isNarrowed={isNarrowed} clear={() => change({ q: '', view: '', type: '' })} />
      ) : (
        <Rows {...props} label={title} sort={sort} onSort={sortBy} />
      )}
      {children}
    </div>
  );
}

function countWords<Item>({ pages, one, many, where }: ListPageProps<Item>, isNarrowed: boolean): string {
  if (pages.error) return 'Not to be had at the moment';
  if (pages.isLoading) return 'Loading…';
  if (pages.isStale) return 'Searching…';
  return `${plural(pages.total, one, many)} ${isNarrowed ? 'found' : (where ?? '')}`.trim();
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
      title={`No ${one} is like that`}
      action={
        <button type="button" className="button" onClick={clear}>
          Clear search and filters
        </button>
      }
    >
      Nothing meets this search and these filters.
    </Empty>
  ) : (
    <Empty title={`There is no ${one} yet`} action={action}>
      {empty}
    </Empty>
  );
