/** An act outside the catalogue, such as ending a session: done at once, after a question, and said when it is done. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { readAgain } from '../readAgain';
import { Dialog } from './Dialog';
import { Failure } from './Failure';
import { say } from './Toasts';

interface Act<Answer> {
  title: string;
  /** What it means, before it is done. */
  question: ReactNode;
  /** The button that does it. */
  label: string;
  run: () => Promise<Answer>;
  /** What is said when it is done. */
  done: (answer: Answer) => string;
}

/** `ask` shows the question; `dialog` is to be rendered. */
export function useAct<Answer>(): { ask: (act: Act<Answer>) => void; dialog: ReactNode } {
  const [act, setAct] = useState<Act<Answer>>();
  const queries = useQueryClient();
  const running = useMutation({
    mutationFn: (given: Act<Answer>) => given.run(),
    onSuccess: async (answer, given) => {
      await readAgain(queries);
      setAct(undefined);
      say({ text: given.done(answer) });
    },
  });
  const close = () => {
    setAct(undefined);
    running.reset();
  };
  const dialog = act && (
    <Dialog className="question" label={act.title} onClose={close}>
      <h2>{act.title}</h2>
      <p>{act.question}</p>
      {running.error && <Failure error={running.error} />}
      <footer>
        <button type="button" className="button" onClick={close}>
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
  return { ask: setAct, dialog };
}
