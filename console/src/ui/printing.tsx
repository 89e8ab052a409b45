/** A sheet of its own for the printer: read whole, black on white, with numbered pages (theme/print.css). */
import { type ReactNode, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { exactTime, inServiceZone, serviceZone } from '../grantEnd';
import { useViewer } from '../session';
import { nameAndMail } from '../words';
import { refuse } from './Toasts';

interface Printing {
  /** Reads the sheet and opens the browser's dialog. */
  print: () => void;
  /** How many rows were read so far; undefined: nothing is read. */
  count: number | undefined;
  /** To be rendered anywhere. */
  sheet: ReactNode;
}

export function usePrinting(read: (noted: (count: number) => void) => Promise<ReactNode>): Printing {
  const [count, setCount] = useState<number>();
  const [sheet, setSheet] = useState<ReactNode>();
  useEffect(() => {
    if (!sheet) return;
    const done = () => setSheet(undefined);
    addEventListener('afterprint', done);
    window.print();
    return () => removeEventListener('afterprint', done);
  }, [sheet]);
  const start = async () => {
    setCount(0);
    try {
      setSheet(await read(setCount));
    } catch (error) {
      refuse((error as Error).message);
    } finally {
      setCount(undefined);
    }
  };
  return {
    print: () => void start(),
    count,
    sheet: sheet && createPortal(<article className="print-sheet">{sheet}</article>, document.body),
  };
}

interface PrintedProps {
  title: string;
  /** Such as how much of it was decided. */
  facts: readonly (string | undefined)[];
  children: ReactNode;
}

/** The head says what it is, of when and for whom, as a saved list does. */
export function Printed({ title, facts, children }: PrintedProps) {
  const person = useViewer().data?.viewer.user;
  const zone = inServiceZone() === '' ? '' : ` Days end in ${serviceZone()}.`;
  return (
    <>
      <header>
        <h1>{title}</h1>
        {facts
          .filter((fact) => fact !== undefined)
          .map((fact) => (
            <p key={fact}>{fact}</p>
          ))}
        <p>
          Printed from Gatehouse at {location.host}, {exactTime(new Date().toISOString())}
          {person && `, by ${nameAndMail(person)}`}.{zone}
        </p>
      </header>
      {children}
    </>
  );
}

interface TableProps {
  heads: readonly string[];
  rows: readonly (readonly string[])[];
}

/** The letters of a line on A4: words of a column stay on one line up to their share of it. */
const lineLetters = 100;

export const PrintedTable = ({ heads, rows }: TableProps) => (
  <table>
    <thead>
      <tr>
        {heads.map((head) => (
          <th key={head} scope="col">
            {head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((cells, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of a sheet that never changes
        <tr key={row}>
          {cells.map((cell, column) => (
            <td key={heads[column]} className={cell.length <= lineLetters / heads.length ? 'short' : undefined}>
              {cell}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);
