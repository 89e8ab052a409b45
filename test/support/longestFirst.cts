/**
 * The order of the test files: none of the long ones is left alone at the end, also where no run before has left their times, and those
 * that wait run beside those that are busy.
 */
import TestSequencer from '@jest/test-sequencer';

/** How many seconds the files take that mostly wait. The more of them run at the same moment, the more processors are idle. */
const waiting = new Map([
  ['browser/comeback.long', 105],
  ['dev/embeddedPostgres.long', 95],
  ['operations/workers.long', 49],
  ['events/hostileReceivers', 47],
  ['clients/python', 47],
  ['events/processes', 46],
  ['operations/silentWorker.long', 37],
  ['events/webhooks', 34],
  ['token/walkAccessTokens.long', 24],
  ['operations/hangingDatabase', 23],
  ['operations/share.long', 23],
  ['operations/replicas.long', 23],
  ['operations/bulkCrash.long', 21],
  ['token/clientUses', 14],
  ['security/providerNetwork', 13],
  ['operations/health', 12],
]);

/** How many seconds the longest of the others take. */
const busy = new Map([
  ['clients/rust', 129],
  ['browser/realSize.long', 107],
  ['browser/accessible.long', 99],
  ['graphql/escalation.long', 96],
  ['browser/wholeLists.long', 86],
  ['browser/states.long', 65],
  ['clients/java', 64],
  ['clients/go', 54],
  ['browser/sizes.long', 44],
  ['browser/records.long', 44],
  ['browser/requests.long', 43],
  ['browser/partLists.long', 43],
  ['token/model', 42],
  ['changes/properties', 41],
  ['token/faults', 39],
  ['browser/journeys', 38],
  ['browser/longLists.long', 38],
  ['cli/cli', 37],
  ['changes/permissionWalk.long', 30],
  ['modules/leftOut.long', 26],
  ['governance/largeReview.long', 26],
  ['rest/readers.long', 26],
  ['compare/trial.long', 20],
  ['catalogueFile/planCommand.long', 20],
]);
const expectedOfOthers = 2;

type Test = Parameters<TestSequencer['sort']>[0][number];

const amongThose = (some: Map<string, number>, { path }: Test): number | undefined =>
  some.get([...some.keys()].find((name) => path.endsWith(`/${name}.test.js`)) ?? '');
const isWaiting = (test: Test): boolean => amongThose(waiting, test) !== undefined;

/** What it took in a run before; in the first one, what is expected. */
const secondsOf = (test: Test): number =>
  test.duration === undefined
    ? (amongThose(waiting, test) ?? amongThose(busy, test) ?? expectedOfOthers)
    : test.duration / 1_000;

class LongestFirst extends TestSequencer {
  override async sort(tests: Test[]): Promise<Test[]> {
    const sorted = await super.sort(tests);
    const areTimesKnown = sorted.some(({ duration }) => duration !== undefined);
    if (!areTimesKnown) sorted.sort((a, b) => secondsOf(b) - secondsOf(a));
    const { true: thatWait = [], false: others = [] } = Object.groupBy(sorted, (test) => `${isWaiting(test)}` as const);
    const ordered: Test[] = [];
    for (const test of thatWait) {
      ordered.push(test);
      // while it waits, the other two workers have these
      for (let seconds = 0; others[0] && seconds < 2 * secondsOf(test); ) {
        seconds += secondsOf(others[0]);
        ordered.push(others.shift()!);
      }
    }
    return [...ordered, ...others];
  }
}

export = LongestFirst;
