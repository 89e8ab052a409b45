/** The value that a connection field is answered from. */
import type { Page } from '../../services/graphReads/page.js';
import type { Row } from '../../services/sql/select.js';

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
