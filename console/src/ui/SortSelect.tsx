/** What a list is sorted by, for small screens: most heads of columns, which say so on large ones, are not on them. */
import type { Column } from './Row';

interface SortSelectProps {
  columns: readonly Pick<Column<never>, 'key' | 'label' | 'sorts'>[];
  sort: string;
  onSort: (sort: string) => void;
}

export function SortSelect({ columns, sort, onSort }: SortSelectProps) {
  const sorting = columns.filter(({ sorts }) => sorts);
  if (sorting.length === 0) return null;
  return (
    <label className="select only-small">
      <span className="only-heard">Sorted by</span>
      <select value={sort} onChange={({ target }) => onSort(target.value)}>
        {sorting.flatMap(({ key, label }) => [
          <option key={key} value={key}>
            {label}, ascending
          </option>,
          <option key={`-${key}`} value={`-${key}`}>
            {label}, descending
          </option>,
        ])}
      </select>
    </label>
  );
}
