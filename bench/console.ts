/**
 * `npm run bench -- console --url http://127.0.0.1:4000`: the requests of the console's views to a running
 * `npm run start:large`, with their budgets. It signs in as Grace Hall with the operations of the build. It leaves
 * a withdrawn proposal and a finished access review that ended nothing.
 */
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { largeRecords } from '../src/dev/largeData.js';
import { builtFolder } from '../src/modules/console/routes/builtFiles.js';
import { fromOwnPage, openBrowser } from '../test/modules/console/browser.js';
import { finishSignIn } from '../test/modules/console/consoleApp.js';
import { median } from './load.js';

const grace = 'de300000-0000-4000-8000-000000000006';
const turns = 9;

interface Answer {
  ms: number;
  bytes: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of many operations, which are read here and there
  data: any;
}
type Ask = (operation: string, variables?: object) => Promise<Answer>;

/** A row of the table, with its budgets. Requests of a view that are sent together are as slow as the slowest one. */
interface Budget {
  name: string;
  ms: number;
  kB: number;
  ask: (turn: number) => Promise<Answer>;
}

export async function run({ url }: { url: string }): Promise<void> {
  const ask = await openConsole(url);
  const { rows, end } = await budgetsOf(ask);
  const lines: string[] = [];
  for (const { name, ms, kB, ask: askOnce } of rows) {
    await askOnce(-1);
    const answers: Answer[] = [];
    for (let turn = 0; turn < turns; turn++) answers.push(await askOnce(turn));
    const time = median(answers.map((answer) => answer.ms));
    const size = median(answers.map((answer) => answer.bytes)) / 1_000;
    const isOver = time > ms || size > kB;
    lines.push(
      `| ${name} | ${ms} ms, ${kB} kB | ${time.toFixed(0)} ms, ${size.toFixed(1)} kB${isOver ? ' **over**' : ''} |`,
    );
    process.stderr.write(`${lines.at(-1)}\n`);
  }
  await end();
  const load = loadavg()[0]!.toFixed(1);
  const about = `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, load of the last minute ${load}; medians of ${turns}.`;
  process.stdout.write([about, '', '| request | budget | measured |', '|---|---|---|', ...lines, ''].join('\n'));
}

/** Signs in, and asks as the pages do: with the ids of the built operations, and answers in brotli. */
async function openConsole(url: string): Promise<Ask> {
  const browser = openBrowser(url);
  await finishSignIn(browser, `${url}/console/sign-in`, grace);
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
  const documents: Record<string, string> = JSON.parse(readFileSync(join(builtFolder, 'documents.json'), 'utf8'));
  const ids = new Map(
    Object.entries(documents).map(([id, text]) => [/^(?:query|mutation) (\w+)/.exec(text)?.[1] ?? '', id]),
  );
  const headers = { ...fromOwnPage, cookie, 'content-type': 'application/json', 'accept-encoding': 'br' };
  return (operation, variables = {}) =>
    new Promise((resolve, reject) => {
      const began = performance.now();
      const sent = request(`${url}/console/graphql`, { method: 'POST', headers }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          const ms = performance.now() - began;
          const bytes = Buffer.concat(parts);
          const text = (response.headers['content-encoding'] === 'br' ? brotliDecompressSync(bytes) : bytes).toString();
          const { data, errors } = JSON.parse(text);
          if (errors) reject(new Error(`${operation}: ${text.slice(0, 1_000)}`));
          else resolve({ ms, bytes: bytes.length, data });
        });
      });
      sent.on('error', reject);
      sent.end(JSON.stringify({ documentId: ids.get(operation), variables }));
    });
}

/** Several requests of one view at the same time: as slow as the slowest, as large as all. */
async function together(requests: Promise<Answer>[]): Promise<Answer> {
  const answers = await Promise.all(requests);
  return {
    ms: Math.max(...answers.map(({ ms }) => ms)),
    bytes: answers.reduce((sum, { bytes }) => sum + bytes, 0),
    data: answers.map(({ data }) => data),
  };
}

const byName = [{ name: 'ASC' }];
const byPerson = [{ lastName: 'ASC' }, { firstName: 'ASC' }];
const { project020, planners, lead, holderOfMany } = largeRecords;
/** A different number of changes in each turn, so that no turn repeats the one before. */
const mappings = (turn: number) =>
  planners.slice(0, 991 - (turn + 1)).map((applicationGuid) => ({
    mapping: { applicationGuid, accessScopeGuid: project020, from: null, to: 'active' },
  }));

async function budgetsOf(ask: Ask): Promise<{ rows: Budget[]; end: () => Promise<void> }> {
  const types = (await ask('ScopeTypes', { first: 100 })).data.accessScopeTypes.nodes;
  const region = types.find(({ name }: { name: string }) => name === 'region').accessScopeTypeGuid;
  const scopes = (await ask('ScopesOfType', { type: region, first: 1_000 })).data.accessScopes.nodes;
  const inSight = scopes.slice(0, 25).map(({ accessScopeGuid }: { accessScopeGuid: string }) => accessScopeGuid);
  const effectId = (await ask('TryChanges', { changes: mappings(-1), areFew: false })).data.applyChanges.effect
    .effectId;
  const people = { effectId, first: 50, isGain: true };
  const endCursor = (await ask('EffectPeople', people)).data.effect.gains.people.pageInfo.endCursor;
  const proposal = (await ask('ProposeChanges', { changes: mappings(-1), note: 'Measured' })).data.proposeChanges;
  const { proposalGuid } = proposal;
  const started = await ask('StartReview', {
    name: `Measured ${new Date().toISOString()}`,
    filter: { profileIds: [lead] },
    dueAt: new Date(Date.now() + 86_400_000).toISOString(),
    undecided: 'KEEP',
  });
  const { reviewGuid } = started.data.startReview;
  const itemPage = {
    reviewGuid,
    filter: {},
    orderBy: [{ profileName: 'ASC' }],
    first: 60,
    offset: 0,
  };
  const items = (await ask('ReviewItemRows', itemPage)).data.review.items.nodes;
  const userPage = (filter: object, offset = 0, first = 60) =>
    ask('UserRows', { first, offset, filter, orderBy: byPerson });
  const inTwoWeeks = new Date(Date.now() + 14 * 86_400_000).toISOString();
  const monthAgo = new Date(Date.now() - 30 * 86_400_000).toISOString();
  const holding = { userProfiles: { some: { roleId: { eq: 'member' } } } };
  const tab = (operation: string, variables: object) => () => ask(operation, variables);
  const card = (await ask('UserHoldings', { userGuid: holderOfMany, first: 100 })).data.userProfiles.nodes;
  const rows: Budget[] = [
    {
      name: 'overview, all cards',
      ms: 250,
      kB: 12,
      ask: () =>
        together([
          ask('Overview', { isSecurity: true, from: new Date().toISOString(), until: inTwoWeeks }),
          ask('OverviewProposals'),
          ask('OverviewChanges'),
        ]),
    },
    {
      name: 'review: dry run of 982 to 991 mappings, totals and groups',
      ms: 300,
      kB: 60,
      ask: (turn) => ask('TryChanges', { changes: mappings(turn), areFew: false }),
    },
    { name: 'review: next page of people', ms: 60, kB: 10, ask: tab('EffectPeople', { ...people, after: endCursor }) },
    { name: 'review: by profile', ms: 60, kB: 10, ask: tab('EffectProfiles', { effectId, first: 50 }) },
    { name: 'proposal with effect', ms: 300, kB: 60, ask: tab('ProposalDetail', { proposalGuid }) },
    { name: 'access review: size of all, before it starts', ms: 200, kB: 1, ask: tab('ReviewSize', { filter: {} }) },
    { name: 'access review: page', ms: 100, kB: 20, ask: tab('ReviewItemRows', itemPage) },
    {
      name: 'access review: decision',
      ms: 50,
      kB: 20,
      ask: (turn) =>
        ask('DecideReviewItems', {
          reviewGuid,
          items: [{ itemGuid: items[0].itemGuid, decision: turn % 2 === 0 ? 'KEEP' : 'END' }],
        }),
    },
    {
      name: 'users: role, department, not seen for 30 days',
      ms: 200,
      kB: 20,
      ask: () =>
        userPage({ and: [holding, { department: { eq: 'Grid' } }, { or: [{ lastLoginDate: { lt: monthAgo } }] }] }),
    },
    {
      name: 'users: more than colleagues',
      ms: 200,
      kB: 20,
      ask: () => userPage({ and: [{ hasUnusualProfiles: true }] }),
    },
    {
      name: 'users: more than colleagues, department, not seen for 30 days',
      ms: 200,
      kB: 20,
      ask: () =>
        userPage({
          and: [
            { hasUnusualProfiles: true },
            { department: { eq: 'Grid' } },
            { or: [{ lastLoginDate: { lt: monthAgo } }] },
          ],
        }),
    },
    { name: 'users: jump to the middle, 200 rows', ms: 200, kB: 20, ask: () => userPage({}, 25_000, 200) },
    { name: 'profile: head', ms: 200, kB: 25, ask: tab('ProfilePage', { profileId: lead }) },
    {
      name: 'profile: opens',
      ms: 200,
      kB: 25,
      ask: tab('OpenedRows', { profileId: lead, first: 60, offset: 0 }),
    },
    {
      name: 'profile: people',
      ms: 200,
      kB: 25,
      ask: tab('HolderRows', { first: 60, offset: 0, filter: { profileId: { eq: lead } } }),
    },
    { name: 'profile: access scopes', ms: 200, kB: 25, ask: tab('ScopesOfProfile', { profileId: lead, first: 100 }) },
    { name: 'user with 41 profiles: head', ms: 150, kB: 8, ask: tab('UserPage', { userGuid: holderOfMany }) },
    {
      name: 'user with 41 profiles: a card',
      ms: 100,
      kB: 4,
      ask: (turn) => ask('ProfileOpens', { profileId: card[turn + 1].profile.profileId, first: 24 }),
    },
    {
      name: 'user with 41 profiles: what each of eight more would give',
      ms: 150,
      kB: 6,
      ask: tab('ProfilesToGive', { userGuid: holderOfMany, filter: null }),
    },
    {
      name: 'connectors',
      ms: 150,
      kB: 6,
      ask: tab('ConnectorRows', { first: 60, offset: 0, filter: null, orderBy: [{ connectorId: 'ASC' }] }),
    },
    {
      name: 'matrix page, 80 × 25',
      ms: 150,
      kB: 20,
      ask: (turn) =>
        ask('Matrix', {
          first: 80,
          offset: 80 * (turn + 1),
          filter: null,
          type: region,
          scopes: { accessScopeGuid: { in: inSight } },
          cells: 1_000,
        }),
    },
    { name: 'palette', ms: 60, kB: 3, ask: tab('Find', { text: 'muller' }) },
    {
      name: 'list of applications, by name',
      ms: 200,
      kB: 20,
      ask: () => ask('ApplicationNames', { first: 60, filter: { and: [{ text: 'unchpad' }] }, orderBy: byName }),
    },
  ];
  return {
    rows,
    end: async () => {
      await ask('WithdrawProposal', { proposalGuid });
      await ask('FinishReview', { reviewGuid, dryRun: false });
    },
  };
}
