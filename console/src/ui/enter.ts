/** Enter in a field that finds as one types. */
import { createContext, useContext, useEffect, useLayoutEffect, useState } from 'react';

/** Of a dialog: how many of its fields wait for what Enter chooses, and what counts them. */
export const Waiting = createContext<readonly [count: number, add: (one: 1 | -1) => void]>([0, () => undefined]);

/**
 * Enter chooses from what is found by all that is typed: where that is not there yet, it waits for it.
 * @param isFound whether what is offered is what is found by the text that stands in the field
 * @returns whether Enter was pressed; anything that is typed takes it back
 */
export function useEnter(isFound: boolean, choose: () => void): (isEntered: boolean) => void {
  const [isEntered, enter] = useState(false);
  const [, add] = useContext(Waiting);
  // before anything else can be pressed
  useLayoutEffect(() => {
    if (!isEntered) return;
    add(1);
    return () => add(-1);
  }, [isEntered, add]);
  useEffect(() => {
    if (!isEntered || !isFound) return;
    enter(false);
    choose();
  });
  return enter;
}
