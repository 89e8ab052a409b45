/** When a change set is looked at. */
import type { State } from '../history/state.js';

/** The change set, and the tables before and after it. */
export interface Moment {
  changeSetId: string;
  before: State;
  after: State;
}
