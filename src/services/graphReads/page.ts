/** A page of a connection: which of the records found are on it, and where it lies. */

import type { Row } from '../sql/select.js';
import type { ResultSet } from './resultSet.js';

interface PagePlace {
  /** How many there are in all, where asked for. */
  totalCount?: number;
  hasNextPage: boolean;
  hasPreviousPage: boolean;
}

export class Page {
  constructor(
    readonly place: PagePlace,
    /** Numbers of its records among those found. */
    readonly members: readonly number[] = [],
    readonly found?: ResultSet,
  ) {}

  /** Of its records, where asked for. */
  get cursors(): (string | undefined)[] {
    return this.members.map((member) => this.found?.cursors[member]);
  }

  get rows(): Row[] {
    const { found } = this;
    return found ? this.members.map((member) => found.rows[member]!) : [];
  }
}
