/** Who the people of a CSV file are. */
import { randomUUID } from 'node:crypto';
import { importCsvUsers, readCsvUsers } from '../../../src/modules/transfer/csvUsers.js';
import { importFile } from '../../../src/modules/transfer/importFile.js';
import { csvLine } from '../../../src/services/csvLine.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { newUser } from '../../support/records.js';
import { untilBlockedOrDone } from '../../support/until.js';

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
  '"Name, Vorname";E-Mail\n"Bee, Ada";ada@x.example\n',
  '"Name; Vorname; Titel",E-Mail\n"Bee, Ada",ada@x.example\n',
  '"Name,\nVorname";E-Mail\n"Bee, Ada";ada@x.example\n',
  '"Na""me, a, b";E-Mail\n"Bee, Ada";ada@x.example\n',
  '\n\nName;E-Mail\n"Bee, Ada";ada@x.example\n',
  'Name,E-Mail\r"Bee, Ada",ada@x.example\r"x;y;z",bee@x.example\r',
])('what separates the cells is what separates them in the heading, outside quotes: %j', async (text) => {
  const { content } = await readCsvUsers(app.context, text, 'email=E-Mail');
  expect(content.users[0]).toMatchObject({ email: 'ada@x.example' });
});

it.each([
  '\n',
  '\r\n',
  '\r',
])('a fault is named with its line, whatever ends the lines within cells before it: %j', async (end) => {
  const text = `email,firstName\na@x.example,"A${end}B"\nb@x.example,C,D\n`;
  await expect(readCsvUsers(app.context, text, undefined)).rejects.toMatchObject({
    more: { problems: { 'line 4': ['It has 3 cells; the heading has 2.'] } },
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

const peopleAt = (domain: string): Promise<unknown[]> =>
  app.context.sql.rows('select email from users where email like $1', [`%@${domain}`]);

it('two imports of new people at the same moment create each of them once', async () => {
  const domain = `${randomUUID().slice(0, 8)}.example`;
  const text = `email,firstName\n${Array.from({ length: 50 }, (_, n) => `p${n}@${domain},P${n}`).join('\n')}`;
  const imports = [1, 2].map(() => importCsvUsers(app.context, text, undefined));
  const counts = (await Promise.all(imports)).map(({ created, unchanged }) => ({ created, unchanged }));
  expect(counts).toHaveLength(2);
  expect(counts).toEqual(
    expect.arrayContaining([
      { created: 50, unchanged: 0 },
      { created: 0, unchanged: 50 },
    ]),
  );
  expect(await peopleAt(domain)).toHaveLength(50);
});

it('an import writes nothing if somebody else created one of its new people meanwhile, and the next one takes that user', async () => {
  const email = `ada@${randomUUID().slice(0, 8)}.example`;
  const load = () => importCsvUsers(app.context, `email,lastName\n${email},Lovelace\n`, undefined);
  let importing: Promise<unknown> = Promise.resolve();
  await app.context.sql.transaction(async (sql) => {
    await newUser({ ...app.context, sql }, { email });
    await sql.rows('set constraints all immediate');
    importing = load().catch((error: unknown) => error);
    await untilBlockedOrDone(app.running.database.background, importing);
  });
  expect(await importing).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('Import again') });
  expect(await load()).toMatchObject({ created: 0, updated: 1 });
  expect(await peopleAt(email.split('@')[1]!)).toHaveLength(1);
});
