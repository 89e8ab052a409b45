/** What the programs of docs/clients need: a service with a client, people and scopes, and the variables that the programs read. */
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { issueAdminToken } from '../../src/services/tokens/operatorTokens.js';
import { startTestApp, type TestApp } from './app.js';
import { newClient, newHolder, newScope, newScopeType } from './records.js';
import { exchangeBody } from './tokens.js';

export const root = fileURLToPath(new URL('../../../', import.meta.url));

export interface ClientWorld {
  app: TestApp;
  environment: Record<string, string>;
}

export async function startClientWorld(settings: Record<string, string> = {}): Promise<ClientWorld> {
  const app = await startTestApp(settings);
  const { clientId, clientSecret } = await newClient(app.context);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwks = JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: '1' }] });
  const withKey = await newClient(app.context, undefined, { jwks });
  const { userGuid, profileId } = await newHolder(app.context);
  const siteType = await newScopeType(app.context, 'site');
  const scopes = [await newScope(app.context, siteType, profileId, { access_scope_key: 'north' })];
  for (const key of ['east', 'west'])
    scopes.push(await newScope(app.context, siteType, undefined, { access_scope_key: key }));
  const anywhere = await newHolder(app.context);
  await newScope(app.context, siteType, anywhere.profileId, { is_wildcard: true });
  const form = async (user: string, profile: string) => {
    const body = new URLSearchParams({
      ...exchangeBody(app.idToken({ sub: user })),
      profileId: profile,
      client_id: clientId,
      client_secret: clientSecret,
    });
    const response = await fetch(`${app.url}/token`, { method: 'POST', body });
    return ((await response.json()) as { access_token: string }).access_token;
  };
  const environment = {
    GATEHOUSE: app.url,
    ISSUER: app.running.dependencies.issuerUrl,
    CLIENT_ID: clientId,
    CLIENT_SECRET: clientSecret,
    KEY_CLIENT_ID: withKey.clientId,
    CLIENT_KEY: JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid: '1' }),
    PROFILE_ID: profileId,
    ID_TOKEN: app.idToken({ sub: userGuid }),
    ACCESS_TOKEN: await form(userGuid, profileId),
    WILDCARD_TOKEN: await form(anywhere.userGuid, anywhere.profileId),
    ACCESS_SCOPES: scopes.map(({ access_scope_guid: guid }) => guid).join(),
    ADMIN_TOKEN: await issueAdminToken(app.context, {
      scopes: ['admin:read', 'admin:write'],
      minutes: 60,
      userGuid: app.context.config.systemUserGuid,
    }),
  };
  return { app, environment };
}

export interface PageFile {
  /** From the comment in its first line, such as `client/Client.java`. */
  name: string;
  text: string;
  /** What the page says that it prints. */
  printed: string | undefined;
}

/** A page of docs/clients, with each program that is a file beside it as a block with its name. */
export function pageOf(page: string): string {
  const folder = `${root}docs/clients/`;
  const text = readFileSync(folder + page, 'utf8');
  return text.replaceAll(/^\[`[^`]+`\]\((\w+)\/(\S+\.(\w+))\)(?: prints)?$/gm, (_line, language, name, ending) => {
    const sign = /^(?:py|graphql|yaml|properties)$/.test(ending) ? '#' : '//';
    const program = readFileSync(`${folder}${language}/${name}`, 'utf8');
    return `\`\`\`${ending === 'mjs' ? 'js' : ending}\n${sign} ${name}\n${program}\`\`\``;
  });
}

/** The named files on a page of docs/clients. */
export function filesOf(page: string): PageFile[] {
  const blocks = pageOf(page).matchAll(
    /^```(?!text)[a-z]+\n(?:\/\/|#) (\S+\.\w+)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?/gms,
  );
  return [...blocks].map(([, name, body, printed]) => ({ name: name!, text: body!, printed }));
}
