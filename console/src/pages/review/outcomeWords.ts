/** What became of a grant when its review was finished. */
export const outcomeWords: Record<string, string> = {
  KEPT: 'Kept',
  ENDED: 'Ended',
  END_SET: 'End set',
  CHANGED: 'Changed since, not touched',
};
