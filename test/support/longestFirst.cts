/** The order of the test files: none of the long ones is left alone at the end, also where no run before has left their times. */
import TestSequencer from '@jest/test-sequencer';

/** Those of about half a minute and more, the longest first. */
const long = [
  'operations/workers',
  'token/model',
  'browser/accessible',
  'dev/embeddedPostgres',
  'browser/longLists',
  'cli/cli',
  'browser/journeys',
  'browser/records',
  'browser/requests',
  'browser/states',
  'rest/mappings',
  'graphql/keptDocuments',
  'token/rehearsalProperty',
  'documentation/migration',
  'operations/failedStarts',
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
