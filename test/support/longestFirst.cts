/** The order of the test files: none of the long ones is left alone at the end, also where no run before has left their times. */
import TestSequencer from '@jest/test-sequencer';

/** Those of about half a minute and more, the longest first; those that mostly wait are spread among those that are busy. */
const long = [
  'cli/cli',
  'browser/accessible.long',
  'token/model',
  'operations/workers.long', // waits
  'changes/properties',
  'browser/realSize.long',
  'changes/largestSet.long',
  'browser/longLists.long',
  'dev/embeddedPostgres.long', // waits
  'compare/trial.long',
  'token/faults',
  'graphql/escalation.long',
  'browser/journeys',
  'insight/rehearsalProperty.long',
  'operations/silentWorker.long', // waits
  'browser/states.long',
  'browser/wholeLists.long',
  'browser/requests.long',
  'documentation/blocks.long',
  'catalogueFile/applyFile',
  'browser/records.long',
  'operations/replicas.long', // waits
  'catalogueFile/pipeline.long',
  'changes/asOfProperty',
  'governance/largeReview.long',
  'browser/slowNetwork.long',
  'token/walkAccessTokens.long', // waits
  'changes/permissionWalk.long',
  'governance/proposalModel',
  'operations/standstill.long', // waits
  'documentation/migration.long',
  'operations/bulkCrash.long',
  'documentation/hardening.long',
  'operations/failedStarts.long', // waits
  'operations/share.long', // waits
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
