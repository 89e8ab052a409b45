/** The order of the test files: none of the long ones is left alone at the end, also where no run before has left their times. */
import TestSequencer from '@jest/test-sequencer';

/** Those of about half a minute and more, the longest first; those that mostly wait are spread among those that are busy. */
const long = [
  'compare/trial.long',
  'cli/cli',
  'operations/workers', // waits
  'operations/bulkCrash.long',
  'browser/accessible.long',
  'browser/journeys',
  'dev/embeddedPostgres.long', // waits
  'browser/longLists.long',
  'token/model',
  'token/rehearsalProperty',
  'browser/records',
  'documentation/migration.long',
  'documentation/blocks.long',
  'browser/requests.long',
  'operations/replicas', // waits
  'token/walkAccessTokens', // waits
  'documentation/hardening.long',
  'operations/failedStarts', // waits
].map((name) => `/${name}.test.js`);

/** Its place among the long ones, or after all of them. */
const placeOf = ({ path }: { path: string }): number => {
  const place = long.findIndex((end) => path.endsWith(end));
  return place < 0 ? long.length : place;
};

class LongestFirst extends TestSequencer {
  override async sort(tests: Parameters<TestSequencer['sort']>[0]) {
    const sorted = await super.sort(tests);
    const areTimesKnown = sorted.some(({ duration }) => duration !== undefined);
    return areTimesKnown ? sorted : sorted.sort((a, b) => placeOf(a) - placeOf(b));
  }
}

export = LongestFirst;
