/** Compares an answer of the new service with that of the old: asks the old one again where they differ, and adds it to the report. */
import { compareAnswers, Pairs } from './compareAnswers.js';
import type { Difference } from './difference.js';
import { type Answer, type Caller, type Request, readBody } from './message.js';
import type { ReportBuilder } from './report.js';
import { NoAnswer } from './send.js';

interface Asked {
  caller: Caller;
  /** Shown in examples, with pseudonyms. */
  shown: string;
  answers: { old: Answer | NoAnswer; new: Answer | NoAnswer };
  /** A request that changes something, as each side had it. */
  changed?: Request[];
  /** Asks the old service once more; absent for a change. */
  askAgain?: () => Promise<Answer | NoAnswer>;
}

export class PairComparer {
  readonly #pairs = new Pairs();

  constructor(private readonly report: ReportBuilder) {}

  async compare({ caller, shown, answers: { old, new: other }, changed, askAgain }: Asked): Promise<void> {
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
    // what doesn't differ needs no second question: a service that is asked live is spared half of them
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

/** The answer, or why there is none. */
export const orNoAnswer = (answer: Promise<Answer>): Promise<Answer | NoAnswer> =>
  answer.catch((error: unknown) => {
    if (error instanceof NoAnswer) return error;
    throw error;
  });
