/** Runs in every test file before its own hooks. */
import { closeOpenedSince, openedSoFar } from './lifetimes.js';

let openedByHooks = 0;
beforeEach(() => {
  openedByHooks = openedSoFar();
});
afterEach(() => closeOpenedSince(openedByHooks));
afterAll(() => closeOpenedSince(0));
