/** Enter in a field that finds as one types. */
import { useEffect, useState } from 'react';

/**
 * Enter chooses from what is found by all that is typed: where that is not there yet, it waits for it.
 * @param isFound whether what is offered is what is found by the text that stands in the field
 * @returns whether Enter was pressed; anything that is typed takes it back
 */
export function useEnter(isFound: boolean, choose: () => void): (isEntered: boolean) => void {
  const [isEntered, enter] = useState(false);
  useEffect(() => {
    if (!isEntered || !isFound) return;
    enter(false);
    choose();
  });
  return enter;
}
