/** npx gatehouse plan, apply and drift: the catalogue as a file in git says. */
import { constants, setPriority } from 'node:os';
import { GatehouseError, OperatorError } from '../errors.js';
import type { FilePlan } from '../services/managed/applyFile.js';
import { type GivenPath, readCatalogueFile } from './catalogueFile.js';
import { failureText } from './failure.js';
import { type PlanCommand, planText } from './planText.js';
import { openProgressBar } from './progressBar.js';
import { print, withContext } from './session.js';

/** There are changes: of `plan` and `drift`. */
const changesExit = 2;

export async function runPlan(
  command: PlanCommand,
  file: GivenPath,
  options: Record<string, string | undefined>,
): Promise<void> {
  const { content, place } = await readCatalogueFile(file);
  await withContext(async (context) => {
    // where the service runs on this machine too, its requests come first
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
    const { applyFile, planFile, requireHash } = await import('../services/managed/applyFile.js');
    const bar = openProgressBar();
    const given = {
      managedBy: options['managed-by'],
      prune: options.prune !== undefined,
      takeOver: options['take-over'] !== undefined,
      onProgress: bar.show,
    };
    let plan: FilePlan;
    try {
      if (command === 'apply') requireHash(options.plan!);
      plan =
        command === 'apply'
          ? await applyFile(context, content, options.plan!, { ...given, ...(options.note && { note: options.note }) })
          : await planFile(context, content, given);
    } catch (error) {
      throw asOperatorError(error, command, file, place);
    } finally {
      bar.clear();
    }
    await print(options.json === undefined ? planText(plan, command, commandLine(file, options)) : toJson(plan));
    if (command !== 'apply' && plan.changes.length > 0) process.exitCode = changesExit;
  });
}

function asOperatorError(
  error: unknown,
  command: PlanCommand,
  { shown }: GivenPath,
  place: (problems: Record<string, string[]>) => Record<string, string[]>,
): unknown {
  if (!(error instanceof GatehouseError) || !error.more.problems) return error;
  const problems = place(error.more.problems);
  const text = failureText(new GatehouseError(error.code, error.message, { ...error.more, problems }));
  const done = command === 'apply' ? 'is not applied, nothing was changed' : 'can not be applied';
  return new OperatorError(`${shown} ${done}:\n${text}`);
}

/** Names of users are shown to whoever reads the graph: here are their guids. */
function toJson(plan: FilePlan): string {
  const { effect, ...others } = plan;
  const side = (name: 'gains' | 'loses') => {
    const { items, ...counts } = effect![name];
    return {
      ...counts,
      items: items.map(({ profile, application, scope, user, users }) => ({
        profileId: profile.profileId,
        applicationGuid: application?.applicationGuid ?? null,
        scope,
        userGuid: user?.userGuid ?? null,
        users,
      })),
    };
  };
  return JSON.stringify({ ...others, effect: effect && { gains: side('gains'), loses: side('loses') } });
}

/** What carries out the plan, for a shell. */
function commandLine({ shown }: GivenPath, options: Record<string, string | undefined>): string {
  const words = ['npx gatehouse apply', quoted(shown)];
  if (options['managed-by']) words.push('--managed-by', quoted(options['managed-by']));
  for (const flag of ['prune', 'take-over']) if (options[flag] !== undefined) words.push(`--${flag}`);
  return words.join(' ');
}

const quoted = (text: string): string => (/^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
