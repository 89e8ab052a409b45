/** Whether `/` and `g` act on every page: who dictates, or hits keys unmeant, can switch them off (WCAG 2.1.4). */
const kept = 'gatehouse.single-keys';

export const areSingleKeysOn = (): boolean => localStorage.getItem(kept) !== 'off';

export const setSingleKeys = (isOn: boolean): void => localStorage.setItem(kept, isOn ? 'on' : 'off');
