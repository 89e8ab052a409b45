/** What test files get as `@jest/globals`: Jest's object of the file that runs, with spies and timers of this process. */
import type { Jest } from '@jest/environment';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

export const mocker = new ModuleMocker(globalThis);
export const timers = new ModernFakeTimers({ config: { fakeTimers: {} } as never, global: globalThis });

export let jest: Jest;
export function setJest(ofFile: Jest): void {
  jest = ofFile;
}
