/** PgBouncer in transaction mode with the file of ops/: all settings of docs/run together, and wrong secrets are counted. */

import { startPgbouncer } from '../failover/pgbouncer.js';
import type { Trial } from '../failover/trial.js';
import { settingsTogether } from '../operations/settingsTogether.js';
import { renewalBody } from '../support/tokens.js';
import { must, openServices, openUser, startPostgres } from './processes.js';

const rounds = 40;
const callersCount = 8;

export async function tryPoolers(trial: Trial): Promise<string> {
  const postgres = await startPostgres(trial, 1);
  await postgres.ask(`alter role gatehouse set statement_timeout = '10s'`);
  // the administrator's token is made by a command, with the audience that the services ask for
  const { AUDIENCES, ADMIN_AUDIENCE } = settingsTogether as Record<'AUDIENCES' | 'ADMIN_AUDIENCE', string>;
  const services = await openServices(trial, postgres.url, { settings: { AUDIENCES, ADMIN_AUDIENCE } });
  const behindPooler = {
    DATABASE_URL: await startPgbouncer(trial, postgres.url, postgres.port),
    DATABASE_DIRECT_URL: postgres.url,
    DATABASE_NAMED_STATEMENTS: 'no',
  };
  const replica = { DATABASE_REPLICA_URLS: postgres.standbys[0]!.url };
  const seen: string[] = [];
  for (const [name, settings] of Object.entries({
    'with all settings': { ...settingsTogether, ...behindPooler, ...replica },
    'in one process': { ...settingsTogether, ...behindPooler, WORKERS: '1', TOKEN_POLICY: 'hardened' },
    'without PgBouncer': { ...settingsTogether, ...replica, DATABASE_NAMED_STATEMENTS: 'yes' },
  })) {
    const [metricsPort] = await trial.ports(1);
    const url = await services.start(name, { ...settings, METRICS_PORT: String(metricsPort) });
    const users = Array.from({ length: callersCount }, () => openUser(url, services));
    let answers = 0;
    await Promise.all(
      users.map(async (user, index) => {
        for (let round = 0; round < rounds / callersCount; round++) {
          const first = await user.exchange(index);
          const second = await user.renew(first.json?.refresh_token);
          const roleId = `${name.slice(0, 8)}-${index}-${round}`;
          const made = await user.graph(`mutation { createRole(input: {roleId: "${roleId}", name: "r"}) { roleId } }`);
          const read = await user.graph(`{ role(roleId: "${roleId}") { roleId } }`);
          const listed = await user.list();
          const outcomes = [first, second, made, read, listed].map(({ outcome }) => outcome);
          must(
            `${name}: all are 200`,
            outcomes.every((outcome) => outcome === 200),
            outcomes,
          );
          must('a change is read', read.json.data?.role?.roleId === roleId, read.json);
          answers += outcomes.length;
        }
      }),
    );
    const guesses = await Promise.all(
      Array.from({ length: 40 }, () =>
        users[0]!.ask('POST', '/token', {
          ...renewalBody('x'),
          profileId: 'p',
          client_id: `guessed ${name}`,
          client_secret: 'x',
        }),
      ),
    );
    const counted = guesses.map(({ outcome }) => outcome);
    must(
      'guesses are 401, then 429',
      counted.filter((outcome) => outcome === 401).length <= 30 && counted.includes(429) && !counted.includes(500),
      counted,
    );
    must('it is ready', (await fetch(`${url}/readyz`)).status === 200);
    must('it shows metrics', (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).status === 200);
    for (const user of users) user.close();
    await trial.kill(name);
    // the window of the address is the other's too
    await postgres.ask('delete from rate_limits');
    seen.push(`${name} ${answers}`);
  }
  return `answers 200: ${seen.join(', ')}; guesses are counted`;
}
