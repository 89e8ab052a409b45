/** A connection that is needed whole: read page by page until it ends. */
interface Part<Row> {
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  nodes: readonly Row[];
}

/** Most rows that the service gives at once. */
const rowsMax = 1_000;

export interface Range {
  first: number;
  after: string | null;
}

/** `noted` is told how many rows were read so far. */
export async function readToEnd<Row>(
  read: (page: Range) => Promise<Part<Row> | null | undefined>,
  noted?: (count: number) => void,
): Promise<Row[]> {
  const rows: Row[] = [];
  let after: string | null = null;
  do {
    const part: Part<Row> | null | undefined = await read({ first: rowsMax, after });
    rows.push(...(part?.nodes ?? []));
    noted?.(rows.length);
    after = part?.pageInfo.hasNextPage ? part.pageInfo.endCursor : null;
  } while (after !== null);
  return rows;
}
