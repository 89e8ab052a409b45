/** Who the people of a CSV file are. */
import { randomUUID } from 'node:crypto';
import { readCsvUsers } from '../../../src/modules/transfer/csvUsers.js';
import { importFile } from '../../../src/modules/transfer/importFile.js';
import { csvLine } from '../../../src/services/csvLine.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { newUser } from '../../support/records.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});

// a letter with its accent, and a letter followed by one
const [composed, decomposed] = ['zo\u00EB', 'zoe\u0308'];

it.each([
  [composed, decomposed],
  [decomposed, composed],
  [composed, composed.toUpperCase()],
  [composed, decomposed.toUpperCase()],
])('a person is the user who has the address, however its letters are written (%j, in the file %j)', async (stored, written) => {
  const domain = `${randomUUID().slice(0, 8)}.example`;
  const { user_guid: userGuid } = await newUser(app.context, { email: `${stored}@${domain}` });
  const text = `email,firstName\n${written}@${domain},Zoe\n`;
  const { content } = await readCsvUsers(app.context, text, undefined);
  expect(content.users).toEqual([{ userGuid, email: `${written}@${domain}`, firstName: 'Zoe' }]);
  expect(await importFile(app.context, content)).toMatchObject({ created: 0, updated: 1 });
});

it('rows with one address in two ways of writing it are one new person', async () => {
  const text = `email,firstName\n${composed}@new.example,Zoe\n${decomposed}@new.example,Anna\n`;
  await expect(readCsvUsers(app.context, text, undefined)).rejects.toMatchObject({
    more: { problems: { 'line 3': ['The person differs from that in line 2.'] } },
  });
});

it('a character that cannot be stored is named with its line', async () => {
  await expect(readCsvUsers(app.context, 'firstName,email\nZoe,z\0e@new.example\n', undefined)).rejects.toMatchObject({
    more: { problems: { 'line 2': ['Cell 2 has a character NUL.'] } },
  });
});

it.each([
  '+49 30 1',
  '-1',
  '=1',
  '@A1',
  '\t1',
  '＋81 3 1234',
  '－1',
  '＝1',
  '＠A1',
  "'t Hart",
])('the text %j of an exported list is read as it was', async (text) => {
  const list = csvLine(['email', 'telephone']) + csvLine(['written@x.example', text]);
  const { content } = await readCsvUsers(app.context, list, undefined);
  expect(content.users).toEqual([expect.objectContaining({ telephone: text })]);
});
