/** The order of the test files: none of the long ones is left alone at the end, also where no run before has left their times. */
import TestSequencer from '@jest/test-sequencer';

/** Those of about half a minute and more, the longest first; those that mostly wait are spread among those that are busy. */
const long = [
  'operations/workers', // waits
  'token/model',
  'browser/accessible',
  'dev/embeddedPostgres', // waits
  'cli/cli',
  'browser/journeys',
  'browser/longLists',
  'token/walkAccessTokens', // waits
  'browser/records',
  'documentation/migration',
  'browser/requests',
  'operations/failedStarts', // waits
  'graphql/keptDocuments',
  'token/rehearsalProperty',
  'rest/mappings',
  'browser/states',
  'operations/bulkCrash',
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
