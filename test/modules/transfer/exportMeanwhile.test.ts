/** An export while others change is what one version of the catalogue was, and never a mixture of two. */

import { randomUUID } from 'node:crypto';
import { exportFile } from '../../../src/modules/transfer/exportFile.js';
import { importFile } from '../../../src/modules/transfer/importFile.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { elapse } from '../../support/until.js';

const versions = 12;
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.close());

/** @param pauseMs before each piece, so that many changes come within one export */
async function exported(pauseMs = 0): Promise<string> {
  let text = '';
  await exportFile(app.context, { users: true, clients: true }, async (piece) => {
    if (pauseMs > 0) await elapse(pauseMs);
    text += piece;
  });
  return text;
}

/** Records of the first lists and of the last ones, changed together. */
const version = (guid: string, number: number) => ({
  roles: [{ roleId: guid, name: `Role ${number}` }],
  users: [{ userGuid: guid, firstName: `User ${number}` }],
  accessScopeTypes: [{ accessScopeTypeGuid: guid, name: `type-${number}` }],
  applications: [
    {
      applicationGuid: guid,
      name: `Application ${number}`,
      iconDefault: 'i',
      iconHover: 'h',
      appType: 'web',
      renderingMode: 'tile',
      linkType: 'internal',
    },
  ],
  translations: [{ translationGroup: guid, fieldName: 'name', languageCode: 'de', translatedText: `Text ${number}` }],
  clients: [{ clientId: guid, clientSecretHash: `$2b$04$${'.'.repeat(53)}`, name: `Client ${number}` }],
});

it('equals the export of one version, whichever lists are read when', async () => {
  const guid = randomUUID();
  await importFile(app.context, version(guid, 0));
  const quiet = [await exported()];
  const meanwhile: string[] = [];
  let isOver = false;
  const exportAgain = async () => {
    while (!isOver) meanwhile.push(await exported(5));
  };
  const changeAgain = async () => {
    for (let number = 1; number <= versions; number++) {
      await importFile(app.context, version(guid, number));
      quiet.push(await exported());
    }
    isOver = true;
  };
  await Promise.all([exportAgain(), exportAgain(), changeAgain()]);
  expect(new Set(quiet).size).toBe(versions + 1);
  expect(meanwhile.length).toBeGreaterThan(2);
  for (const text of meanwhile) expect(quiet).toContain(text);
});
