/** How many there are of each list, on each side. */
import type { Counts } from './Comparison';

type Sides = { [side in keyof Counts]: { totalCount: number } };

export const countsOf = (compared: object): Record<string, Counts> =>
  Object.fromEntries(
    Object.entries(compared as Record<string, Sides>).map(([key, { onlyLeft, both, onlyRight }]) => [
      key,
      { onlyLeft: onlyLeft.totalCount, both: both.totalCount, onlyRight: onlyRight.totalCount },
    ]),
  );
