/** The browser's own question before a page is left, closed or loaded again. */
import { useEffect } from 'react';

/** Has it asked until what it returns is called. */
export function askBeforeLeaving(): () => void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  addEventListener('beforeunload', ask);
  return () => removeEventListener('beforeunload', ask);
}

/** Has it asked as long as something is under way. */
export function useQuestionBeforeLeaving(isUnderWay: boolean): void {
  useEffect(() => (isUnderWay ? askBeforeLeaving() : undefined), [isUnderWay]);
}
