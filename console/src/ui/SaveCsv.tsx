/** The button that saves a list as CSV, to its last row. */
import { useState } from 'react';
import type { Pages } from '../pages';
import { refuse, say } from './Toasts';

export function SaveCsv({ label, pages }: { label: string; pages: Pages<unknown> }) {
  const [count, setCount] = useState<number>();
  const save = async () => {
    setCount(0);
    try {
      // read when it is first used: the first page is small
      const { saveCsv } = await import('./saveCsv');
      const saved = await saveCsv(label, pages, setCount);
      say({ text: `Saved ${saved.toLocaleString('en')} rows as CSV.` });
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
      className="button small hide-small"
      data-export
      disabled={isSaving || pages.isLoading || pages.isStale || pages.total === 0}
      onClick={() => void save()}
    >
      {isSaving ? `Saving ${count.toLocaleString('en')}…` : 'Save as CSV'}
    </button>
  );
}
