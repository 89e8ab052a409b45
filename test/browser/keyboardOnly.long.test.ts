/** An administrator without a pointer: each task, from sign-in to sign-out, by keys only, in Chromium and Firefox. */
import type { TestApp } from '../support/app.js';
import { openBrowser, startConsole } from './support/browser.js';
import { chromiumKeyboard, firefoxKeyboard, handsOf, hasFirefox } from './support/keyboardOnly.js';

const bruno = 'de300000-0000-4000-8000-000000000002';
const assetRegister = 'de330000-0000-4000-8000-000000000005';
const gridMonitor = 'de330000-0000-4000-8000-000000000001';

const browsers = [
  ['Chromium', chromiumKeyboard],
  ['Firefox', firefoxKeyboard],
] as const;
const present = browsers.filter(([name]) => name !== 'Firefox' || hasFirefox);
if (!hasFirefox) process.stderr.write('Keyboard journeys did not run in Firefox: there is no /usr/bin/firefox-esr.\n');

describe.each(present)('in %s, by keys only,', (_name, openKeyboard) => {
  let app: TestApp;
  let hands: ReturnType<typeof handsOf>;
  beforeAll(async () => {
    await openBrowser();
    app = await startConsole();
    hands = handsOf(await openKeyboard(app));
  });
  const open = (path: string) => hands.open(`${app.url}/console${path}`);
  /** Ctrl ↵ opens the review, and applies. */
  async function applyAll(changes: string) {
    await hands.press('Control+Enter');
    await hands.sees('Counted at');
    await hands.press('Control+Enter');
    await hands.sees(`${changes} applied`);
  }

  it('an administrator signs in', async () => {
    await open('/overview');
    await hands.isAt('/authorize');
    await hands.choose(/Grace Hall/);
    await hands.isAt('/console/overview');
    await hands.sees('Overview');
  });

  it('the content is reached without the menu', async () => {
    await open('/applications');
    await hands.sees('Grid monitor');
    await hands.tabTo(/^Skip to/);
    await hands.press('Enter');
    expect(await hands.focused()).toContain('Applications');
    await hands.isAt('/console/applications');
  });

  it('a record is found and opened', async () => {
    await open('/roles');
    await hands.sees('New role');
    await hands.press('Control+k');
    await hands.write('grid monitor');
    await hands.sees('Grid monitor');
    await hands.press('Enter');
    await hands.isAt(`/applications/${gridMonitor}`);
    await hands.sees('Who can open it?');
  });

  it('a mapping is changed in the matrix, reviewed, applied and undone', async () => {
    await open('/matrix?type=site');
    await hands.sees('Grid monitor');
    await hands.tabTo(/^Applications and access scopes of the type/);
    await hands.press('ArrowRight');
    await hands.press('Space');
    await hands.sees('1 pending change');
    await applyAll('1 change');
    await hands.choose('Undo…');
    await hands.choose('Undo');
    await hands.sees('Undone:');
  });

  it('why somebody cannot open an application is explained, and what opens it is prepared', async () => {
    await open(`/why?user=${bruno}&application=${assetRegister}`);
    await hands.sees('inactive');
    await hands.choose(/^Do it: All of site/);
    await hands.sees('Counted at');
    await hands.press('Control+Enter');
    await hands.sees('1 change applied');
    await hands.sees('Bruno Costa can open Asset register');
  });

  it('a new person is made', async () => {
    await open('/users/new');
    await hands.sees('New person');
    await hands.tabTo(/^First name/);
    await hands.write('Edda');
    await hands.press('Tab');
    await hands.write('Falk');
    await hands.tabTo(/^E-mail/);
    await hands.write('edda@example.com');
    await applyAll('1 change');
    await hands.sees('Edda Falk');
  });

  it('a profile is given to a person, with what it opens said before', async () => {
    await open('/users/de300000-0000-4000-8000-000000000004');
    await hands.sees('Diego Esteves');
    await hands.choose('Give a profile');
    await hands.tabTo(/^Profile/);
    await hands.press('ArrowDown');
    await hands.sees('Grid operator');
    for (let step = 0; step < 3; step++) await hands.press('ArrowDown');
    await hands.press('Enter');
    await hands.sees('New entries of tokens');
    await hands.press('Escape');
  });

  it('an access review of a part is prepared', async () => {
    await open('/reviews');
    await hands.sees('Start a review…');
    await hands.choose('Start a review…');
    await hands.tabTo(/^Only profiles$/);
    await hands.sees('Reporting');
    for (let step = 0; step < 4; step++) await hands.press('ArrowDown');
    await hands.press('Enter');
    await hands.sees('in 1 profile will be reviewed');
    await hands.choose('Leave out Reporting');
    await hands.sees('will be reviewed');
    await hands.press('Escape');
  });

  it('people are selected in the list, and get a profile', async () => {
    await open('/users?q=bruno');
    await hands.sees('Bruno Costa');
    await hands.tabTo('Managed by');
    await hands.press('Tab');
    await hands.press('x');
    await hands.press('p');
    await hands.sees('Reporting');
  });

  it('people are added to a profile', async () => {
    await open('/profiles/reporting');
    await hands.sees('Add people…');
    await hands.choose('Add people…');
    await hands.sees('E-mail');
    await hands.tabTo(/^E-mail/);
    await hands.write('diego@example.com');
    await hands.sees('1 person gets it');
    await hands.choose('Add 1 person');
    await hands.sees('Counted at');
    await hands.press('Control+Enter');
    await hands.sees('1 change applied');
  });

  it('two profiles are compared', async () => {
    await open('/compare/profiles?left=grid-operator&right=reporting');
    await hands.sees('Only');
    await hands.choose(/^People \d/);
    await hands.sees('Only');
  });

  it('the administrator signs out', async () => {
    await open('/overview');
    await hands.sees('Overview');
    await hands.choose(/Grace Hall/);
    await hands.choose('Sign out');
    await hands.sees('Signed out');
  });
});
