/** The button that saves a list as CSV, to its last row. */
import { useState } from 'react';
import type { Exported, Pages } from '../pages';
import { useViewer } from '../session';
import { Icon } from './icons';
import type { Parts } from './PartList';
import { refuse, say } from './Toasts';

interface SaveCsvProps {
  /** The name of the file. */
  label: string;
  /** As the service exports it, or what the page reads to its end. */
  list: Exported | Pages<unknown> | Parts<unknown>;
}

export function SaveCsv({ label, list }: SaveCsvProps) {
  const [count, setCount] = useState<number>();
  const viewer = useViewer().data?.viewer.user ?? null;
  const save = async () => {
    setCount(0);
    try {
      // read when it is first used: the first page is small
      const { introduction, csvOf, exportList, readList, saveFile } = await import('./saveCsv');
      const exported = 'list' in list ? list : list.exported;
      if (exported) {
        const { file, rows } = await exportList(exported, setCount);
        saveFile(label, 'csv', file);
        say({ text: `Saved ${rows.toLocaleString('en')} rows as CSV.` });
        return;
      }
      const rows = await readList(list as Exclude<typeof list, Exported>, setCount);
      saveFile(label, 'csv', introduction(label, rows.length, viewer) + csvOf(rows));
      say({ text: `Saved ${rows.length.toLocaleString('en')} rows as CSV.` });
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
