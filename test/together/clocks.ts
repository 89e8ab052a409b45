/** Processes whose clocks are wrong, by faketime: nobody is locked out, no session ends, and they are taken out. */
import { userGuid } from '../failover/gatehouses.js';
import type { Trial } from '../failover/trial.js';
import { renewalBody } from '../support/tokens.js';
import { must, openServices, openUser, startPostgres } from './processes.js';

const clocks = { right: '+0s', behind: '-30d', ahead: '+1h', aLittle: '+20s' };

export async function tryClocks(trial: Trial): Promise<string> {
  const postgres = await startPostgres(trial);
  const services = await openServices(trial, postgres.url);
  const settings = { LIMITER_STORE: 'database', CLIENT_FAILURE_LIMIT: '5' };
  const started: [string, string][] = [];
  for (const [name, clock] of Object.entries(clocks))
    started.push([name, await services.start(name, settings, name === 'right' ? {} : { clock })]);
  const urls = Object.fromEntries(started) as Record<keyof typeof clocks, string>;
  const users = Object.fromEntries(started.map(([name, url]) => [name, openUser(url, services)]));
  const right = users.right!;

  for (const [name, url] of started) {
    const answer = await fetch(`${url}/readyz`);
    const isOut = name === 'behind' || name === 'ahead';
    must(`${name} is ${isOut ? 'not ready' : 'ready'}`, answer.status === (isOut ? 503 : 200), await answer.json());
  }
  let renewals = 0;
  for (const name of Object.keys(clocks)) {
    let { json } = await right.exchange(renewals);
    for (const by of [name, 'right', name, name, 'right']) {
      const renewed = await users[by]!.renew(json.refresh_token);
      must(`a renewal by ${by} after one by another is 200`, renewed.outcome === 200, [name, renewed.outcome]);
      json = renewed.json;
      renewals += 1;
    }
  }
  // failures that a process with a wrong clock counts
  for (const name of ['behind', 'ahead'] as const) {
    const client_id = `nobody ${name}`;
    const guess = (url: string) =>
      fetch(`${url}/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${name.length}` },
        body: JSON.stringify({
          ...renewalBody('x'),
          profileId: 'p',
          client_id,
          client_secret: 'x',
        }),
      });
    for (let count = 0; count < 6; count++) await guess(urls[name]);
    const limited = await guess(urls.right);
    const seconds = Number(limited.headers.get('retry-after'));
    must('the limit holds in all processes, for a minute', limited.status === 429 && seconds <= 60, [
      limited.status,
      seconds,
    ]);
  }
  // grants that end: by the clock of the database, whatever a process takes the time for
  const person = 1;
  let token = (await right.exchange(person)).json.refresh_token;
  const endAt = (end: string) =>
    postgres.ask(`update user_profiles set valid_until = ${end} from users u
      where u.user_id = user_profiles.user_id and u.user_guid = '${userGuid(person)}'`);
  let judged = 0;
  for (const [end, isHeld] of [
    ["now() + interval '1 minute'", true],
    ["now() - interval '1 second'", false],
    ['null', true],
  ] as const) {
    await endAt(end);
    for (const name of Object.keys(clocks)) {
      const { outcome, json } = await users[name]!.renew(token);
      judged += 1;
      must(`a renewal by ${name} with the end ${end}`, outcome === (isHeld ? 200 : 401), [name, outcome]);
      if (isHeld) token = json.refresh_token;
    }
  }
  for (const user of Object.values(users)) user.close();
  return `${renewals} renewals by four processes a month behind to an hour ahead; limits end within a minute; ${judged} renewals judged by the ends of grants; the wrong ones are not ready`;
}
