/** An act outside the catalogue, such as ending a session: done at once, after a question, and said when it is done. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useKeptOpen } from '../keptOpen';
import { readAgain } from '../readAgain';
import { Dialog } from './Dialog';
import { Failure } from './Failure';
import { say } from './Toasts';

export interface Act {
  title: string;
  /** What it means, before it is done. */
  question: ReactNode;
  /** The button that does it. */
  label: string;
  /** Does it; gives what is said then. */
  run: () => Promise<string>;
}

/**
 * `ask` shows the question of the act that has this name; `dialog` is to be rendered. Who has to sign in for it finds the
 * question again, and it is done when it is pressed.
 * @param place by which the question is kept in this tab
 * @param actOf undefined of what can't be done any more, such as taking out of use what somebody else has taken
 */
export function useAct(
  place: string,
  actOf: (name: string) => Act | undefined,
): { ask: (name: string) => void; dialog: ReactNode } {
  const { opened, open, close: forget } = useKeptOpen(`question of ${place}`);
  const queries = useQueryClient();
  const running = useMutation({
    mutationFn: (given: Act) => given.run(),
    onSuccess: async (done) => {
      await readAgain(queries);
      forget();
      say({ text: done });
    },
  });
  const close = () => {
    forget();
    running.reset();
  };
  // while it is done the page is read again: the question stays that of what was pressed
  const act = running.isPending ? running.variables : opened === undefined ? undefined : actOf(opened);
  const dialog = act && (
    <Dialog className="question" label={act.title} isBusy={running.isPending} onClose={close}>
      <h2>{act.title}</h2>
      <p>{act.question}</p>
      {running.error && <Failure error={running.error} />}
      <footer>
        <button type="button" className="button" disabled={running.isPending} onClick={close}>
          Leave it
        </button>
        <button
          type="button"
          className="button danger"
          disabled={running.isPending}
          onClick={() => running.mutate(act)}
        >
          {act.label}
        </button>
      </footer>
    </Dialog>
  );
  return { ask: open, dialog };
}
