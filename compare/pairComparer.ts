/** Compares the answers of both services for the report. If they differ, asks the old service again to recognize noise. */
import { compareAnswers, Pairs } from './compareAnswers.js';
import type { Difference } from './difference.js';
import { type Answer, type Caller, type Request, readBody } from './message.js';
import type { ReportBuilder } from './report.js';
import { NoAnswer } from './send.js';

interface AnsweredPair {
  caller: Caller;
  /** Shown in examples, with pseudonyms. */
  shown: string;
  answers: { old: Answer | NoAnswer; new: Answer | NoAnswer };
  /** The requests to both services, if they change something. */
  changed?: Request[];
  /** Sends the request to the old service again; absent for a change. */
  askAgain?: () => Promise<Answer | NoAnswer>;
}

export class PairComparer {
  readonly #pairs = new Pairs();

  constructor(private readonly report: ReportBuilder) {}

  async compare({ caller, shown, answers: { old, new: other }, changed, askAgain }: AnsweredPair): Promise<void> {
    if (old instanceof NoAnswer)
      return this.report.addNotCompared(caller, `no answer of the old service: ${old.message}`);
    if (other instanceof NoAnswer) {
      const difference: Difference = { kind: 'no answer', path: ['status'], old: old.status, new: other.message };
      return this.report.add(caller, shown, [difference]);
    }
    if (old.isTooLong || other.isTooLong)
      return this.report.addNotCompared(caller, 'an answer is too long, or of an unknown coding');
    if (changed) this.#learn(changed, old, other);
    const differences = compareAnswers(old, other, this.#pairs);
    // equal answers need no second request, which halves the load on a live service
    if (differences.length > 0 && askAgain) {
      const repeated = await askAgain();
      if (!(repeated instanceof NoAnswer) && !repeated.isTooLong)
        this.report.addNoise(caller.operation, compareAnswers(old, repeated, this.#pairs));
    }
    this.report.add(caller, shown, differences);
  }

  #learn(requests: Request[], old: Answer, other: Answer): void {
    const [first, second] = [readBody(old), readBody(other)];
    if (first.kind === 'json' && second.kind === 'json') this.#pairs.learn(requests, first.json, second.json);
  }
}

/** Resolves with NoAnswer instead of throwing it. */
export const orNoAnswer = (answer: Promise<Answer>): Promise<Answer | NoAnswer> =>
  answer.catch((error: unknown) => {
    if (error instanceof NoAnswer) return error;
    throw error;
  });
