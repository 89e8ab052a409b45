/** Workers of one primary process: whatever one of them changed, all know at once. */

import { client } from '../failover/gatehouses.js';
import type { Trial } from '../failover/trial.js';
import { must, openServices, openUser, startPostgres } from './processes.js';

const rounds = 15;
const readers = 6;

export async function tryWorkers(trial: Trial): Promise<string> {
  const postgres = await startPostgres(trial);
  const services = await openServices(trial, postgres.url);
  const url = await services.start('app', { WORKERS: '3', LIMITER_STORE: 'database', TOKEN_POLICY: 'hardened' });
  // connections go to the workers in turn
  const users = Array.from({ length: readers }, () => openUser(url, services));
  const [writer] = users as [(typeof users)[number]];
  let reads = 0;
  const all = async (what: string, look: (user: (typeof users)[number]) => Promise<boolean>): Promise<void> => {
    const seen = await Promise.all(users.map(look));
    must(what, seen.every(Boolean), seen);
    reads += seen.length;
  };
  const change = async (query: string): Promise<void> => {
    const { json } = await writer.graph(query);
    must(query, json && !json.errors, json);
  };
  const exchanged = async (user: (typeof users)[number], number: number) =>
    (await user.exchange(number)).outcome === 200;
  await change(
    'mutation { createApplication(input: {applicationGuid: "00000000-0000-4000-8000-0000000000cc", name: "n0", iconDefault: "i", iconHover: "h", appType: "web", renderingMode: "tab", linkType: "global"}) { applicationGuid } }',
  );
  await change('mutation { createRole(input: {roleId: "fresh", name: "n0"}) { roleId } }');
  for (let round = 1; round <= rounds; round++) {
    await change(`mutation { updateRole(roleId: "fresh", input: {name: "n${round}"}) { roleId } }`);
    await all(
      'a role',
      async (user) => (await user.graph('{ role(roleId: "fresh") { name } }')).json.data.role.name === `n${round}`,
    );
    await change(
      `mutation { updateApplication(applicationGuid: "00000000-0000-4000-8000-0000000000cc", input: {name: "n${round}"}) { name } }`,
    );
    await all('an application in the list', async (user) => (await user.list()).text.includes(`"n${round}"`));
    const kid = await services.command(`rotate${round}`, ['keys', 'rotate']);
    await new Promise((resolve) => kid.once('exit', resolve));
    const made = await writer.exchange(1);
    must('an exchange', made.outcome === 200, made.text);
    const token = made.json.access_token;
    await all('a token of a new key', async (user) => (await user.validate(token)).json.is_valid === true);
    const session = (await writer.exchange(2)).json;
    must('a revocation is answered', (await writer.revoke(session.refresh_token)).outcome === 200);
    await all('a revocation', async (user) => (await user.renew(session.refresh_token)).outcome === 401);
    await all(
      'a revocation, of its access token',
      async (user) => (await user.validate(session.access_token)).json.is_valid === false,
    );
    await change(`mutation { setClientActive(clientId: "${client.clientId}", isActive: false) { clientId } }`);
    await all('a client that is off', async (user) => (await user.exchange(3)).outcome === 401);
    await change(`mutation { setClientActive(clientId: "${client.clientId}", isActive: true) { clientId } }`);
    await all('a client that is on', (user) => exchanged(user, 3));
    await postgres.ask('delete from rate_limits');
  }
  for (const user of users) user.close();
  return `${reads} reads through 3 workers, each right after a change: roles, applications, keys, revocations, clients`;
}
