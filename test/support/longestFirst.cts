/** The order of the test files: none of the long ones is left alone at the end, also where no run before has left their times. */
import TestSequencer from '@jest/test-sequencer';

/** Those of about half a minute and more, the longest first; those that mostly wait are spread among those that are busy. */
const long = [
  'clients/rust',
  'browser/accessible.long',
  'browser/comeback.long', // waits
  'graphql/escalation.long',
  'dev/embeddedPostgres.long', // waits
  'browser/realSize.long',
  'clients/python', // waits
  'browser/wholeLists.long',
  'operations/bulkCrash.long', // waits
  'browser/states.long',
  'clients/java',
  'browser/sizes.long',
  'operations/workers.long', // waits
  'changes/properties',
  'browser/journeys',
  'events/hostileReceivers', // waits
  'dev/largeData.long',
  'browser/longLists.long',
  'operations/silentWorker.long', // waits
  'browser/requests.long',
  'modules/leftOut.long',
  'events/processes', // waits
  'changes/permissionWalk.long',
  'browser/records.long',
  'events/webhooks', // waits
  'browser/partLists.long',
  'compare/trial.long',
  'cli/cli',
  'changes/largestSet.long',
  'insight/rehearsalProperty.long',
  'token/faults',
  'catalogueFile/planCommand.long',
  'governance/largeReview.long',
  'rest/readers.long',
  'catalogueFile/pipeline.long',
  'operations/share.long', // waits
  'token/walkAccessTokens.long', // waits
  'operations/hangingDatabase', // waits
  'browser/slowNetwork.long',
  'operations/replicas.long', // waits
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
