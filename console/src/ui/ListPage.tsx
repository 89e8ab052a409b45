/** A page that is a list: its heading with the count, and the list. */
import type { ReactNode } from 'react';
import { countWords, List, type ListProps, useIsNarrowed } from './List';
import { SaveCsv } from './SaveCsv';

interface ListPageProps<Item> extends Omit<ListProps<Item>, 'label' | 'isCounting'> {
  title: string;
  /** Links to the pages that are tabs of the same. */
  tabs?: ReactNode;
  children?: ReactNode;
}

export function ListPage<Item>({ title, tabs, children, ...list }: ListPageProps<Item>) {
  const isNarrowed = useIsNarrowed();
  return (
    <div className="page fill">
      <div className="head">
        <div>
          <h1>{title}</h1>
          <p className="sub" aria-live="polite">
            {countWords(list, isNarrowed)}
          </p>
        </div>
        <div className="head-acts">
          <SaveCsv label={title} list={list.pages} />
          {list.action}
        </div>
      </div>
      {tabs}
      <List {...list} label={title} />
      {children}
    </div>
  );
}
