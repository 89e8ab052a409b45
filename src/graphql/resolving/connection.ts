/** The value of a connection field, from the database or from memory. */
import { badInput } from '../../errors.js';
import { Page } from '../../services/read/projection.js';
import { type PageArguments, pageSizeDefault } from '../../services/read/readPages.js';
import type { Row } from '../../services/read/select.js';

interface PageInfo {
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  startCursor: string | null;
  endCursor: string | null;
}

/** What a connection field resolves to; records and edges are made only when somebody looks. */
export class Connection {
  constructor(readonly page: Page) {}

  get nodes(): Row[] {
    return this.page.rows;
  }

  get totalCount(): number | undefined {
    return this.page.place.totalCount;
  }

  get edges(): { cursor: string | undefined; node: Row }[] {
    const { cursors, rows } = this.page;
    return rows.map((node, index) => ({ cursor: cursors[index], node }));
  }

  get pageInfo(): PageInfo {
    const { cursors, place } = this.page;
    const { hasNextPage, hasPreviousPage } = place;
    return { hasNextPage, hasPreviousPage, startCursor: cursors[0] ?? null, endCursor: cursors.at(-1) ?? null };
  }
}

class MemoryPage extends Page {
  readonly #records: readonly Row[];
  readonly #start: number;

  constructor(records: readonly Row[], start: number, total: number) {
    super({ totalCount: total, hasNextPage: start + records.length < total, hasPreviousPage: start > 0 });
    this.#records = records;
    this.#start = start;
  }

  override get cursors(): string[] {
    return this.#records.map((_, index) => cursorAt(this.#start + index));
  }

  override get rows(): Row[] {
    return [...this.#records];
  }
}

const cursorAt = (index: number): string => Buffer.from(JSON.stringify(['dry run', index])).toString('base64url');

/** Only forwards, and all of them: what a dry run tells can't be asked again. Throws BAD_USER_INPUT. */
export function pageInMemory(records: readonly Row[], { first, after, last, before, filter, orderBy }: PageArguments) {
  if (last || before || filter || orderBy) throw badInput({ $: ['Of a dry run take first and after alone.'] });
  const start = after ? records.findIndex((_, index) => cursorAt(index) === after) + 1 : 0;
  return new Connection(
    new MemoryPage(records.slice(start, start + (first ?? pageSizeDefault)), start, records.length),
  );
}
