/** Three services with the same records: one whose traffic is recorded, and two to which it is sent again. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openService, type Service } from '../../compare/send.js';
import { importFile } from '../../src/modules/transfer/importFile.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { closeAtEnd } from '../support/lifetimes.js';

const administrators = 'site:north';
export const clientSecret = 'canary-secret-of-the-client-4711';

export interface ComparedServices {
  recorded: TestApp;
  old: TestApp;
  new: TestApp;
  folder: string;
  records: ReturnType<typeof makeRecords>;
  /** Of the user, for every one of the three. */
  idToken(): string;
  close(): Promise<void>;
}

const guids = (count: number): string[] => Array.from({ length: count }, () => randomUUID());

/** An import file: what the old services know. */
function makeRecords() {
  const [userGuid, typeGuid] = [randomUUID(), randomUUID()];
  const [scopeGuids, applicationGuids] = [guids(30), guids(12)];
  const createdDate = '2024-03-05T06:07:08.900Z';
  return {
    userGuid,
    scopeGuids,
    applicationGuids,
    file: {
      roles: [{ roleId: 'member', name: 'Member' }],
      users: [
        {
          userGuid,
          firstName: 'Canarina',
          lastName: 'Canaryson',
          email: 'canary.person@example.org',
          telephone: '+49 30 4711 0815',
          idpname: 'guids',
          idpid: 'canary-idp-id',
          department: 'Canary department',
          createdDate,
        },
      ],
      accessScopeTypes: [{ accessScopeTypeGuid: typeGuid, name: 'site', createdDate, createdBy: userGuid }],
      accessScopes: scopeGuids.map((accessScopeGuid, index) => ({
        accessScopeGuid,
        accessScopeTypeGuid: typeGuid,
        name: `Site ${index}`,
        accessScopeKey: index === 0 ? 'north' : `key-${index}`,
        createdDate,
        createdBy: userGuid,
      })),
      profiles: [{ profileId: 'canary-profile', name: 'Staff', accessScopeGuids: scopeGuids.slice(0, 3) }],
      userProfiles: [{ userGuid, profileId: 'canary-profile', roleId: 'member' }],
      applications: applicationGuids.map((applicationGuid, index) => ({
        applicationGuid,
        applicationId: 100 + index,
        name: `Caf\u00e9 ${index}`,
        description: index % 3 === 0 ? null : 'Of the city',
        iconDefault: 'icon.svg',
        iconHover: 'hover.svg',
        appType: 'web',
        renderingMode: 'tile',
        linkType: 'internal',
        createdDate,
        createdBy: userGuid,
      })),
      accessScopeApplicationsMappers: applicationGuids
        .slice(0, 6)
        .flatMap((applicationGuid) =>
          scopeGuids
            .slice(0, 3)
            .map((accessScopeGuid) => ({ applicationGuid, accessScopeGuid, state: 'active', createdDate })),
        ),
      clients: ['portal', 'kiosk', 'back-office'].map((clientId) => ({ clientId, clientSecret, name: clientId })),
    },
  };
}

/** @param more settings of the new service alone */
export async function startComparedServices(more: Record<string, string> = {}): Promise<ComparedServices> {
  const records = makeRecords();
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-compare-'));
  const recorded = await startTestApp({ ADMIN_WRITE_SCOPES: administrators, ISSUER_URL: 'https://auth.example.org' });
  const settings = {
    ADMIN_WRITE_SCOPES: administrators,
    ISSUER_URL: 'https://auth.example.org',
    ID_TOKEN_ISSUERS: JSON.stringify([
      { issuer: recorded.provider.issuer, audience: 'gatehouse-test', idpname: 'guids', subject: 'userGuid' },
    ]),
  };
  const [old, other] = [await startTestApp(settings), await startTestApp({ ...settings, ...more })];
  for (const app of [recorded, old, other]) await importFile(app.context, structuredClone(records.file));
  return {
    recorded,
    old,
    new: other,
    folder,
    records,
    idToken: () =>
      recorded.idToken({ sub: records.userGuid, name: 'Canarina Canaryson', email: 'canary.person@example.org' }),
    close: closeAtEnd(async () => {
      for (const app of [recorded, old, other]) await app.close();
      rmSync(folder, { recursive: true, force: true });
    }),
  };
}

export function serviceAt(url: string, timeoutMs = 20_000): Service {
  const service = openService(new URL(url), timeoutMs);
  closeAtEnd(async () => service.close());
  return service;
}
