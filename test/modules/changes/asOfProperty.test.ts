/**
 * On random catalogues, changed by sets, undos, imports and statements past the service: what is asked as of a moment is what
 * was answered then, and an export as of it the file that was written then, byte for byte.
 */
import fc from 'fast-check';
import { importFile } from '../../../src/modules/transfer/importFile.js';
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';
import { exportedText } from '../../support/exportedText.js';
import { factor, seed } from '../../support/schedules.js';
import { elapse } from '../../support/until.js';
import {
  type Any,
  anyChange,
  appGuid,
  below,
  catalogue,
  each,
  plan,
  scopeGuid,
  size,
  userGuid,
} from './randomCatalogue.js';

let graph: TestGraph;
beforeEach(async () => {
  graph = await startTestGraph();
});
afterEach(() => graph?.close());

type Step =
  | { set: Any[] }
  | { undo: true }
  | { statement: string; values: unknown[] }
  | { file: Record<string, object[]> };

const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((text) => !text.includes('\0'));
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.array(anyChange, { minLength: 1, maxLength: 6 }).map((set) => ({ set })) },
  { weight: 1, arbitrary: fc.constant({ undo: true as const }) },
  {
    weight: 2,
    arbitrary: fc.oneof(
      fc.tuple(name, below(size.scopes)).map(([text, n]) => ({
        statement: 'update access_scopes set name = $1 where access_scope_guid = $2',
        values: [text, scopeGuid(n)],
      })),
      below(size.applications).map((n) => ({
        statement:
          'delete from access_scope_applications_mappers m using applications a where a.application_id = m.application_id and a.application_guid = $1',
        values: [appGuid(n)],
      })),
      fc.tuple(name, below(3)).map(([text, n]) => ({
        statement: `insert into translations (translation_group, field_name, language_code, translated_text) values ($1, 'name', 'de', $2)
          on conflict (translation_group, field_name, language_code) do update set translated_text = excluded.translated_text`,
        values: [`group ${n}`, text],
      })),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(name, below(size.profiles), fc.uniqueArray(below(size.scopes))).map(([text, n, scopes]) => ({
      file: { profiles: [{ profileId: `p${n}`, name: text, accessScopeGuids: scopes.map(scopeGuid) }] },
    })),
  },
);

async function take(step: Step, made: string[]): Promise<void> {
  const { context } = graph.app;
  if ('file' in step) await importFile(context, step.file);
  else if ('statement' in step) await context.sql.rows(step.statement, step.values);
  else if ('undo' in step) {
    const guid = made.pop();
    // CONFLICT where somebody changed the records since
    if (guid) await graph.ask('mutation ($guid: UUID!) { undoChangeSet(changeSetGuid: $guid) { note } }', { guid });
  } else {
    const apply = 'mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { changeSetGuid } }';
    const { applyChanges } = await graph.data(apply, { changes: await plan(context, step.set) });
    made.push(applyChanges.changeSetGuid);
  }
}

const exported = (asOf?: string) => exportedText(graph.app.context, asOf === undefined ? {} : { asOf });

const explained = each(size.users * size.applications, (n) => [n % size.users, Math.floor(n / size.users)] as const);
const question = `query ($asOf: DateTime) {
  ${each(size.applications, (a) => `who${a}: accessOf(applicationGuid: "${appGuid(a)}", asOf: $asOf) { profile { profileId name } accessScope { name isActive } link userProfiles { nodes { userProfileId user { userGuid isBlocked } role { roleId name } } } }`).join('\n')}
  ${explained.map(([u, a]) => `why${u}_${a}: explainAccess(userGuid: "${userGuid(u)}", applicationGuid: "${appGuid(a)}", asOf: $asOf) { isOpen reasons ways { isOpen links { holds reason text } } }`).join('\n')} }`;

/** A moment between two changes, and what is answered and written then. */
async function keep(): Promise<{ asOf: string; answers: unknown; file: string }> {
  await elapse(3);
  const [row] = await graph.app.context.sql.rows<{ now: string }>('select clock_timestamp() as now');
  await elapse(3);
  return { asOf: row!.now, answers: await graph.data(question), file: await exported() };
}

async function play(steps: Step[]): Promise<void> {
  const [made, kept]: [string[], Awaited<ReturnType<typeof keep>>[]] = [[], [await keep()]];
  for (const step of steps) {
    await take(step, made);
    kept.push(await keep());
  }
  for (const { asOf, answers, file } of kept) {
    expect(await exported(asOf)).toBe(file);
    expect(await graph.data(question, { asOf })).toEqual(answers);
  }
  expect(new Set(kept.map(({ file }) => file)).size).toBeGreaterThan(5);
}

it('an export as of any moment is the export made then, byte for byte, and so are the answers', async () => {
  const apply = 'mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { changeSetGuid } }';
  await graph.data(apply, { changes: catalogue });
  const steps = fc.array(anyStep, { minLength: 20, maxLength: 20 });
  await fc.assert(fc.asyncProperty(steps, play), {
    numRuns: factor,
    endOnFailure: true,
    seed,
  });
});
