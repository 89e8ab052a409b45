/** `plan`, `apply` and `drift`: reads the files of the catalogue and shows what changes. */

import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { withAuthor } from '../../../cli/changing.js';
import { UsageError } from '../../../cli/command.js';
import { escapeInvisible } from '../../../cli/finding.js';
import { readJson, readText, unreadable } from '../../../cli/readFile.js';
import { failureText, openProgressBar, print, withContext, yieldToRequests } from '../../../cli/session.js';
import { GatehouseError, OperatorError, type Problems } from '../../../errors.js';
import { isJsonObject, type JsonObject } from '../../../jsonObject.js';
import type { FileOptions, FilePlan, PlannedField, PlannedRecord } from '../applyFile.js';
import { itemApplicationsMax, type PrintedPlan, planRemotely, remoteOf } from './remoteCatalogue.js';

type PlanOptions = Record<string, string | undefined>;
type PlanCommand = 'plan' | 'apply' | 'drift';

/** Maximum number of records shown; the rest are counted. --json has all of them. */
const recordsMax = 1_000;
const signs = { create: '+', update: '~', remove: '-' };

/** @param apply the command that applies the plan, without the hash */
function planText(plan: PrintedPlan, command: PlanCommand, apply: string): string {
  const { changes, effect, hash, changeSetGuid } = plan;
  if (changes.length === 0)
    return [...unlistedLines(plan), command === 'drift' ? 'No drift.' : 'Nothing to do.'].join('\n');
  const records = changes.slice(0, recordsMax).flatMap(recordLines);
  if (changes.length > recordsMax) records.push(`… and ${changes.length - recordsMax} more: --json has them all.`);
  const lines = [...records, '', countLine(plan)];
  if (effect) lines.push(...effectLines(effect));
  lines.push(...unlistedLines(plan));
  if (command === 'plan') lines.push('', `To apply exactly this: ${apply} --plan ${hash}`);
  if (changeSetGuid) lines.push('', `Change set ${changeSetGuid}: undoChangeSet undoes it.`);
  return lines.join('\n');
}

function recordLines({ list, action, key, name, fields, removedByHand }: PlannedRecord): string[] {
  const named = [...Object.values(key).map(keyText), ...(name === null ? [] : [quotedText(name)])].join(' ');
  const hand = removedByHand ? `  (removed by hand: ${handText(removedByHand)})` : '';
  return [`${signs[action]} ${list} ${named}${hand}`, ...(action === 'update' ? fields.flatMap(fieldLines) : [])];
}

/** JSON, without characters that move a terminal or show another text. */
const quotedText = (value: unknown): string => escapeInvisible(JSON.stringify(value));

const keyText = (value: unknown): string => (/^[\w.-]{1,255}$/.test(String(value)) ? String(value) : quotedText(value));

function fieldLines({ field, before, after, changedByHand }: PlannedField): string[] {
  const hand = changedByHand ? [`      changed by hand: ${handText(changedByHand)}`] : [];
  return [`    ${field}: ${differenceText(before, after)}`, ...hand];
}

function differenceText(before: PlannedField['before'], after: PlannedField['after']): string {
  if (!Array.isArray(before) || !Array.isArray(after)) return `${quotedText(before)} → ${quotedText(after)}`;
  const [was, is] = [new Set(before), new Set(after)];
  return [
    ...after.filter((line) => !was.has(line)).map((line) => `+${line}`),
    ...before.filter((line) => !is.has(line)).map((line) => `-${line}`),
  ].join(' ');
}

type Hand = NonNullable<PlannedField['changedByHand']>;
const handText = ({ actor, actorName, occurredAt, face, note }: Hand): string =>
  [
    actorName === null ? actor : `${quotedText(actorName)} (${actor})`,
    occurredAt,
    face,
    ...(note === null ? [] : [quotedText(note)]),
  ].join(', ');

const countLine = ({ summary: { created, updated, removed }, changeSetGuid }: PrintedPlan): string =>
  changeSetGuid
    ? `Created ${created}, changed ${updated}, removed ${removed}.`
    : `To create: ${created}, to change: ${updated}, to remove: ${removed}.`;

function effectLines({ gains, loses, tokens }: NonNullable<FilePlan['effect']>): string[] {
  const side = (verb: string, { users, applications, scopes }: typeof gains) =>
    `${users} users ${verb} ${applications} applications and ${scopes} scopes.`;
  return [
    side('gain', gains),
    side('lose', loses),
    `The tokens of ${tokens.users} users (${tokens.sessions} sessions) of ${tokens.profiles} profiles change.`,
  ];
}

const unlistedLines = ({ summary: { unlisted } }: PrintedPlan): string[] =>
  unlisted === 0 ? [] : [`${unlisted} managed records are not in the file and stay: --prune removes them.`];

/** GitHub's limit for a comment is 65,536 characters. */
const markdownCharactersMax = 60_000;

/** Returns the plan for a comment on a pull request. A plan that is too long is cut, with a note. */
function planMarkdown(plan: PrintedPlan, command: PlanCommand, apply: string): string {
  const { changes, effect, hash, changeSetGuid } = plan;
  const title = `### Catalogue${plan.managedBy === null ? '' : ` ${codeOf(plan.managedBy)}`}`;
  if (changes.length === 0)
    return [title, '', ...unlistedLines(plan), command === 'drift' ? 'No drift.' : 'Nothing to do.'].join('\n');
  const blocks: string[] = [];
  let characters = 0;
  for (const change of changes) {
    const block = recordLines(change).join('\n').replaceAll('```', "'''");
    characters += block.length + 1;
    if (characters > markdownCharactersMax) break;
    blocks.push(block);
  }
  const left = changes.length - blocks.length;
  return [
    title,
    '',
    countLine(plan),
    ...(effect ? ['', ...effectLines(effect).map((line) => `- ${line}`)] : []),
    ...unlistedLines(plan),
    '',
    '```diff',
    ...blocks,
    '```',
    ...(left > 0 ? ['', `${left} more records are not shown here: \`--json\` has all of them.`] : []),
    ...(command === 'plan' ? ['', `Apply exactly this with \`${apply} --plan ${hash}\`.`] : []),
    ...(changeSetGuid ? ['', `Change set ${codeOf(changeSetGuid)}.`] : []),
  ].join('\n');
}

const codeOf = (text: string): string => `\`${text.replaceAll('`', "'").replaceAll(/\s+/g, ' ')}\``;

/** A path as the operator wrote it, and resolved. */
interface NamedPath {
  displayPath: string;
  path: string;
}

interface CatalogueFile {
  content: Record<string, unknown>;
  /** Returns the problems with their places in the files that the rows came from. */
  place(problems: Problems): Problems;
}

const extensions = /\.(json|ya?ml)$/i;
/** A YAML document takes about thirty times its length in memory. */
const yamlLengthMax = 64 * 1024 * 1024;
const filesMax = 10_000;
/** Of one anchor; the time to find it grows with their square. */
const aliasesMax = 10_000;

/** Throws OperatorError with the place of the mistake. */
export async function readCatalogueFile({ displayPath, path }: NamedPath): Promise<CatalogueFile> {
  if (!statOf(displayPath, path).isDirectory()) {
    const content = requireObject(displayPath, await readParsed({ displayPath, path }));
    return { content, place: (problems) => problems };
  }
  const files = listFiles({ displayPath, path });
  if (files.length === 0) throw new OperatorError(`${displayPath} contains no file that ends in .json, .yaml or .yml.`);
  return joined(
    await Promise.all(
      files.map(async (file) => ({
        displayPath: file.displayPath,
        content: requireObject(file.displayPath, await readParsed(file)),
      })),
    ),
  );
}

function statOf(displayPath: string, path: string): Stats {
  try {
    return statSync(path);
  } catch (error) {
    throw unreadable(displayPath, error as NodeJS.ErrnoException);
  }
}

function entriesOf({ displayPath, path }: NamedPath): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    throw unreadable(displayPath, error as NodeJS.ErrnoException);
  }
}

/** Lists files in the order of their names, those in subfolders and linked ones included. Skips names that begin with a dot (git, editors). */
function listFiles(folder: NamedPath, files: NamedPath[] = [], places = new Set<string>()): NamedPath[] {
  const place = realpathSync(folder.path);
  // links may lead to a folder or file again, or form a cycle
  if (places.has(place)) return files;
  places.add(place);
  const entries = entriesOf(folder)
    .filter(({ name }) => !name.startsWith('.'))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const entry of entries) {
    const file = { displayPath: join(folder.displayPath, entry.name), path: join(folder.path, entry.name) };
    // a link to nothing is a mistake: what is left out by it, --prune would remove
    const found = entry.isSymbolicLink() ? statOf(file.displayPath, file.path) : entry;
    if (found.isDirectory()) listFiles(file, files, places);
    else if (extensions.test(formatNameOf(file))) {
      if (!found.isFile()) throw new OperatorError(`${file.displayPath} is neither a file nor a folder.`);
      const target = realpathSync(file.path);
      if (!places.has(target)) files.push(file);
      places.add(target);
    }
    if (files.length > filesMax) throw new OperatorError(`${folder.displayPath} contains more than ${filesMax} files.`);
  }
  return files;
}

/** The name that says what a file contains: its own, or without an extension that of the file to which it links. */
const formatNameOf = ({ path }: NamedPath): string => (extensions.test(path) ? path : realpathSync(path));

async function readParsed({ displayPath, path }: NamedPath): Promise<unknown> {
  if (!/\.ya?ml$/i.test(formatNameOf({ displayPath, path }))) return readJson(displayPath, path);
  const text = readText(displayPath, path);
  if (text.length > yamlLengthMax)
    throw new OperatorError(`${displayPath} is larger than 64 MB: split it, or write it as JSON.`);
  const { parseDocument } = await import('yaml');
  // YAML 1.2 reads dates as texts, whatever version the file names; other tags make values that JSON, and so a request, does not have
  const schema = { schema: 'core', resolveKnownTags: false };
  const document = parseDocument(text, { ...schema, prettyErrors: true, logLevel: 'error' });
  const fault: (YamlFault & { code: string }) | undefined = document.errors[0];
  // the library's own message names functions of the library
  if (fault?.code === 'MULTIPLE_DOCS')
    throw notYaml(displayPath, { ...fault, message: 'a second document begins here' });
  if (fault) throw notYaml(displayPath, fault);
  const [warning] = document.warnings;
  // other tools put something else where their tags are, such as !secret; here the tag's text would become the value
  if (warning) throw new OperatorError(`${displayPath}: ${placeOf(warning)}${warningText(warning)}.`);
  try {
    // with a limit of aliases, a small file cannot expand to billions of nodes
    return document.toJS({ maxAliasCount: aliasesMax });
  } catch (error) {
    const { message } = error as Error;
    if (!message.startsWith('Excessive alias count')) throw notYaml(displayPath, { message });
    throw new OperatorError(
      `${displayPath} uses an anchor more than ${aliasesMax} times, each use within another one counted: write its value instead.`,
    );
  }
}

interface YamlFault {
  message: string;
  linePos?: readonly { line: number; col: number }[] | undefined;
}

const placeOf = ({ linePos }: YamlFault): string =>
  linePos?.[0] ? `line ${linePos[0].line}, column ${linePos[0].col}: ` : '';
const firstSentence = ({ message }: YamlFault): string => message.split(/ at line |\n/)[0]!;
const warningText = (warning: YamlFault): string =>
  firstSentence(warning)
    .replace(/^Unresolved tag: tag:yaml\.org,2002:(int|float|bool|null|map|seq)$/, 'the value is not of its tag !!$1')
    .replace('Unresolved tag: ', 'unknown tag ')
    .replace('tag:yaml.org,2002:', '!!');
const notYaml = (displayPath: string, fault: YamlFault): OperatorError =>
  new OperatorError(`${displayPath} is not YAML: ${placeOf(fault)}${firstSentence(fault)}.`);

function requireObject(displayPath: string, content: unknown): JsonObject {
  if (isJsonObject(content)) return content;
  throw new OperatorError(`${displayPath} must be an object with lists such as "applications".`);
}

/** The rows of one list from one file. They end where the next part of the list begins. */
interface Part {
  list: string;
  first: number;
  displayPath: string;
}

function joined(files: { displayPath: string; content: Record<string, unknown> }[]): CatalogueFile {
  // without a prototype, whose members a file may name
  const content: Record<string, unknown> = Object.create(null);
  const parts: Part[] = [];
  for (const { displayPath, content: own } of files) {
    for (const [name, value] of Object.entries(own)) {
      if (name === 'managedBy') {
        if (content[name] !== undefined && content[name] !== value)
          throw new OperatorError(`${displayPath}: managedBy differs from that of the files before it.`);
        content[name] = value;
      } else {
        if (!Array.isArray(value))
          throw new OperatorError(`${displayPath}: ${JSON.stringify(name.slice(0, 100))} must be an array.`);
        const rows = (content[name] ?? []) as unknown[];
        parts.push({ list: name, first: rows.length, displayPath });
        content[name] = rows.concat(value);
      }
    }
  }
  return { content, place: (problems) => placed(problems, parts) };
}

/** `applications[57].name` becomes `harbour.yaml: applications[3].name`, in the texts too. */
function placed(problems: Problems, parts: readonly Part[]): Problems {
  const place = (text: string) =>
    text.replace(/\b([A-Za-z]{1,99})\[(\d{1,19})\]/g, (whole, list: string, row: string) => {
      const part = parts.findLast((candidate) => candidate.list === list && candidate.first <= Number(row));
      return part ? `${part.displayPath}: ${list}[${Number(row) - part.first}]` : whole;
    });
  return Object.fromEntries(Object.entries(problems).map(([path, texts]) => [place(path), texts.map(place)]));
}

/** Exit code of `plan` and `drift` when there are changes. */
const changesExit = 2;

/** @param startedIn the operator's folder, to which paths are relative */
export async function runPlan(
  command: PlanCommand,
  startedIn: string,
  displayPath: string,
  options: PlanOptions,
): Promise<void> {
  const file = { displayPath, path: resolve(startedIn, displayPath) };
  const remote = remoteOf(options, startedIn);
  if (remote && options.as !== undefined) throw new UsageError('--as is not for --url: the token says who applies.');
  const { content, place } = await readCatalogueFile(file);
  const hash = command === 'apply' ? options.plan! : undefined;
  const fileOptions = {
    managedBy: options['managed-by'],
    prune: options.prune !== undefined,
    takeOver: options['take-over'] !== undefined,
    ...(options.note && { note: options.note }),
  };
  const plan = await (remote
    ? planRemotely(remote, content, fileOptions, hash)
    : planLocally(content, fileOptions, options, hash)
  ).catch((error: unknown) => {
    throw asOperatorError(error, command, file, place);
  });
  await print(textOf(plan, command, file, options));
  if (command !== 'apply' && plan.changes.length > 0) process.exitCode = changesExit;
}

/** @param hash of the plan to apply; undefined: only plans */
async function planLocally(
  content: unknown,
  options: FileOptions,
  author: PlanOptions,
  hash: string | undefined,
): Promise<PrintedPlan> {
  let plan: FilePlan | undefined;
  await withContext(async (unnamed) => {
    const context = await withAuthor(unnamed, author);
    yieldToRequests();
    const { applyFile, planFile } = await import('../applyFile.js');
    const bar = openProgressBar('rows');
    const fileOptions = { ...options, onProgress: bar.show, ...(context.note && { note: context.note }) };
    plan = await (hash === undefined
      ? planFile(context, content, fileOptions)
      : applyFile(context, content, hash, fileOptions)
    ).finally(bar.clear);
  });
  return plan!;
}

function textOf(plan: PrintedPlan, command: PlanCommand, file: NamedPath, options: PlanOptions): string {
  if (options.json !== undefined) return toJson(plan);
  if (options.markdown !== undefined) return planMarkdown(plan, command, commandLine(file, options));
  return planText(plan, command, commandLine(file, options));
}

function asOperatorError(
  error: unknown,
  command: PlanCommand,
  { displayPath }: NamedPath,
  place: (problems: Record<string, string[]>) => Record<string, string[]>,
): unknown {
  if (!(error instanceof GatehouseError) || !error.more.problems) return error;
  const problems = place(error.more.problems);
  const text = failureText(new GatehouseError(error.code, error.message, { ...error.more, problems }));
  const done = command === 'apply' ? 'is not applied, nothing was changed' : 'cannot be applied';
  return new OperatorError(`${displayPath} ${done}:\n${text}`);
}

/** Returns the plan as JSON. Users appear by guid; their names need a permission in the graph. */
function toJson(plan: PrintedPlan): string {
  const { managedBy, hash, summary, changes, effect, changeSetGuid } = plan;
  const side = (name: 'gains' | 'loses') => {
    const { items, ...counts } = effect![name];
    return {
      ...counts,
      items: items.map(({ user, profile, applications, scopes }) => ({
        userGuid: user.userGuid,
        profileId: profile.profileId,
        applicationGuids: applications.slice(0, itemApplicationsMax).map(({ applicationGuid }) => applicationGuid),
        scopes,
      })),
    };
  };
  const all = effect && { gains: side('gains'), loses: side('loses'), tokens: effect.tokens };
  return JSON.stringify({ managedBy, hash, summary, changes, changeSetGuid, effect: all });
}

/** Returns the shell command that applies the plan. */
function commandLine({ displayPath }: NamedPath, options: PlanOptions): string {
  const words = ['bin/gatehouse apply', quoted(displayPath)];
  if (options['managed-by']) words.push('--managed-by', quoted(options['managed-by']));
  for (const flag of ['prune', 'take-over']) if (options[flag] !== undefined) words.push(`--${flag}`);
  for (const name of ['url', 'token-file', 'id-token-env', 'profile'])
    if (options[name] !== undefined) words.push(`--${name}`, quoted(options[name]));
  return words.join(' ');
}

const quoted = (text: string): string => (/^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
