/**
 * Old clients as they are: C# with HttpClient and Newtonsoft.Json, built and run by Debian's mono. Without mono the test is
 * left out; npm run test:dotnet wants it, and names the packages that are missing.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startTestApp } from '../support/app.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { newClient, newHolder, newScope, newScopeType } from '../support/records.js';

const folder = fileURLToPath(new URL('../../../test/dotnet/', import.meta.url));
const newtonsoft = '/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll';
const packages: Record<string, string> = {
  '/usr/bin/mcs': 'mono-mcs',
  '/usr/bin/mono': 'mono-runtime',
  '/usr/lib/mono/4.5/System.Net.Http.dll': 'libmono-system-net-http4.0-cil',
  [newtonsoft]: 'libnewtonsoft-json5.0-cil',
};
const missing = Object.entries(packages)
  .filter(([file]) => !existsSync(file))
  .map(([, name]) => name);
const isWanted = process.env.DOTNET_WANTED === 'yes';
const itHere = missing.length === 0 || isWanted ? it : it.skip;
const run = promisify(execFile);

itHere(
  'a C# client of the old services uses the three token endpoints and, with each media type, the eight operations',
  async () => {
    if (missing.length > 0) throw new Error(`Missing: apt-get install ${missing.join(' ')}`);
    const built = mkdtempSync(join(tmpdir(), 'gatehouse-dotnet-'));
    closeAtEnd(async () => rmSync(built, { recursive: true, force: true }));
    const program = join(built, 'oldClient.exe');
    const sources = ['Models.cs', 'Client.cs', 'Program.cs'].map((name) => join(folder, name));
    await run('mcs', [
      '-langversion:6',
      '-nowarn:649',
      `-out:${program}`,
      '-r:System.Net.Http.dll',
      `-r:${newtonsoft}`,
      ...sources,
    ]);

    const app = await startTestApp({ ADMIN_WRITE_SCOPES: 'site:north' });
    const { clientId, clientSecret } = await newClient(app.context);
    const { userGuid, profileId } = await newHolder(app.context);
    const type = await newScopeType(app.context, 'site');
    const scopes: string[] = [];
    for (const key of ['north', 'south', 'west'])
      scopes.push((await newScope(app.context, type, profileId, { access_scope_key: key })).access_scope_guid);
    const { stdout } = await run('mono', [program], {
      env: {
        PATH: process.env.PATH,
        GATEHOUSE: app.url,
        CLIENT_ID: clientId,
        CLIENT_SECRET: clientSecret,
        PROFILE_ID: profileId,
        ID_TOKEN: app.idToken({ sub: userGuid }),
        SCOPE_GUIDS: scopes.join(','),
      },
    });
    expect(stdout.trim().split('\n')).toEqual([
      'POST /token',
      'POST /validate-token',
      'POST /revoke',
      'eight operations, application/json',
      'eight operations, application/json; charset=utf-8',
      'eight operations, application/json; odata.metadata=minimal; odata.streaming=true',
      'eight operations, application/json; IEEE754Compatible=true',
      'eight operations, application/vnd.example+json',
      'eight operations, text/json',
      'eight operations, text/plain',
    ]);
  },
);
