/** The button that saves a list as CSV, to its last row. */
import { useState } from 'react';
import type { Exported, Pages } from '../pages';
import { plural } from '../words';
import { Icon } from './icons';
import type { Parts } from './PartList';
import { refuse, say } from './Toasts';

interface SaveCsvProps {
  /** The name of the file. */
  label: string;
  /** As the service exports it; a list without that is not saved. */
  list: Exported | Pages<unknown> | Parts<unknown>;
}

export function SaveCsv({ label, list }: SaveCsvProps) {
  const [count, setCount] = useState<number>();
  const exported = 'list' in list ? list : list.exported;
  if (!exported) return null;
  const save = async () => {
    setCount(0);
    try {
      // read when it is first used: the first page is small
      const { exportList, saveFile } = await import('./saveCsv');
      const { file, rows } = await exportList(exported, setCount);
      saveFile(label, 'csv', file);
      say({ text: `Saved ${plural(rows, 'row')} as CSV.` });
    } catch (error) {
      refuse((error as Error).message);
    } finally {
      setCount(undefined);
    }
  };
  const isSaving = count !== undefined;
  return (
    <button
      type="button"
      className="button hide-small"
      data-export
      disabled={isSaving || ('rows' in list && list.rows.length === 0) || ('isStale' in list && list.isStale)}
      onClick={() => void save()}
    >
      <Icon name="download" size={16} />
      {isSaving ? `Saving ${count.toLocaleString('en')}…` : 'Save as CSV'}
    </button>
  );
}
