/** A page of a connection: which of the records found are on it, and where it lies. */
import type { FoundRecords } from './foundRecords.js';
import type { RecordTexts, Template } from './recordText.js';
import type { Row } from './rowQuery.js';

export interface PagePlace {
  /** How many there are in all, where asked for. */
  totalCount?: number;
  hasNextPage: boolean;
  hasPreviousPage: boolean;
}

export class Page {
  constructor(
    readonly place: PagePlace,
    readonly cursors: readonly string[] = [],
    /** Numbers of its records among those found. */
    private readonly members: readonly number[] = [],
    private readonly found?: FoundRecords,
  ) {}

  get rows(): Row[] {
    const { found } = this;
    return found ? this.members.map((member) => found.rows[member]!) : [];
  }

  /** The JSON of all records found, and the numbers of those on the page. */
  texts(template: Template): { texts: RecordTexts | undefined; members: readonly number[] } {
    return { texts: this.found?.texts(template), members: this.members };
  }
}
