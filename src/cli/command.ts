/** The parser and help of the command line. */
import { parseArgs } from 'node:util';
import { escapeInvisible } from './finding.js';

/** Columns as wide as their longest cell, two spaces between them. Cells may be texts that callers sent. */
export function textTable(cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map(escapeInvisible));
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lineOf = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ');
  return rows.map((row) => lineOf(row).trimEnd()).join('\n');
}

interface Option {
  /** Name of the value in the help; absent: a flag. */
  value?: string;
  doc: string;
  required?: boolean;
}

export interface Command {
  /** Such as `client create`. */
  words: string;
  summary: string;
  /** Further lines of its help. */
  details?: string[];
  /** The arguments after the words, such as `ID`; all are required. */
  takes?: string[];
  options?: Record<string, Option>;
  /** Arguments that work, for its help. */
  example?: string;
  /** Exit code for wrong usage, if 2 has another meaning; 2. */
  misspeltExit?: number;
  run(parsed: ParsedArguments): Promise<void>;
}

export interface ParsedArguments {
  /** The arguments by their names in `takes`. */
  arguments: Record<string, string>;
  /** The options by their names. */
  options: Record<string, string | undefined>;
}

/** The arguments are wrong; the message says how to use the command. */
export class UsageError extends Error {
  constructor(
    message: string,
    readonly exitCode = 2,
  ) {
    super(message);
  }
}

/** The hours of `--keep-previous-hours`. Throws UsageError. */
export function readKeepPreviousHours(options: ParsedArguments['options'], absent = '0'): number {
  const text = options['keep-previous-hours'] ?? absent;
  if (!/^\d+(\.\d+)?$/.test(text)) throw new UsageError('--keep-previous-hours must be a number of hours.');
  return Number(text);
}

type Read = { command: Command; parsed: ParsedArguments } | { help: string } | { version: true };

/** Finds the command that the arguments name. Throws UsageError. */
export function readArguments(commands: readonly Command[], words: string[]): Read {
  if (words[0] === '--version' || words[0] === '-v') return { version: true };
  const named = commands.find((command) => startsWith(words, command.words.split(' ')));
  if (words.includes('--help') || words.includes('-h') || words[0] === 'help')
    return { help: named ? helpOf(named) : overview(commands, words) };
  if (named) return { command: named, parsed: parseArguments(named, words.slice(named.words.split(' ').length)) };
  const group = commands.filter((command) => command.words.startsWith(`${words[0]} `));
  if (group.length > 0)
    throw new UsageError(`Name one of these commands: ${group.map((command) => command.words).join(', ')}.`);
  throw new UsageError(words[0] === undefined ? 'Which command?' : `There is no command ${words[0]}.`);
}

const startsWith = (words: string[], start: string[]): boolean => start.every((word, index) => words[index] === word);

function parseArguments(command: Command, words: string[]): ParsedArguments {
  try {
    return requireArguments(command, words);
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(error.message, command.misspeltExit) : error;
  }
}

function requireArguments(command: Command, words: string[]): ParsedArguments {
  const { takes = [], options = {} } = command;
  const shapes = Object.entries(options).map(([name, { value }]) => [name, { type: value ? 'string' : 'boolean' }]);
  const { values, positionals } = parse(words, Object.fromEntries(shapes));
  const missing = takes[positionals.length];
  if (missing) throw new UsageError(`${missing} is missing: ${usageOf(command)}`);
  if (positionals.length > takes.length)
    throw new UsageError(`${positionals[takes.length]} is not expected: ${usageOf(command)}`);
  for (const [name, { required }] of Object.entries(options))
    if (required && values[name] === undefined) throw new UsageError(`--${name} is missing: ${usageOf(command)}`);
  return {
    arguments: Object.fromEntries(takes.map((name, index) => [name, positionals[index]!])),
    options: values,
  };
}

function parse(words: string[], options: Record<string, { type: 'string' | 'boolean' }>) {
  try {
    const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true });
    return { values: values as Record<string, string | undefined>, positionals };
  } catch (error) {
    throw new UsageError((error as Error).message.split('\n')[0]!);
  }
}

function usageOf({ words, takes = [], options = {} }: Command): string {
  const optionRows = Object.entries(options).map(([name, { value, required }]) => {
    const option = value ? `--${name} ${value}` : `--${name}`;
    return required ? option : `[${option}]`;
  });
  return ['bin/gatehouse', words, ...takes, ...optionRows].join(' ');
}

function helpOf(command: Command): string {
  const { words, summary, details = [], options = {}, example } = command;
  const lines = Object.entries(options).map(([name, { value, doc }]) => [`--${name}${value ? ` ${value}` : ''}`, doc]);
  const exampleLines = example ? ['', `Example: bin/gatehouse ${words} ${example}`] : [];
  return [
    usageOf(command),
    '',
    summary,
    ...details,
    ...(lines.length > 0 ? ['', ...inColumns(lines)] : []),
    ...exampleLines,
  ].join('\n');
}

function overview(commands: readonly Command[], words: string[]): string {
  const group = commands.filter((command) => command.words.startsWith(`${words[0]} `));
  const listedCommands = group.length > 0 ? group : commands;
  return [
    'bin/gatehouse COMMAND …',
    '',
    ...inColumns(listedCommands.map(({ words: name, takes = [], summary }) => [[name, ...takes].join(' '), summary])),
    '',
    'The commands use the settings and the database of npm start, whether or not it is running.',
    'bin/gatehouse COMMAND --help describes one command; bin/gatehouse --version prints the version.',
  ].join('\n');
}

/** Two columns, the first as wide as it must be. The second may be a text that a caller sent. */
export function inColumns(rows: string[][]): string[] {
  const width = Math.max(...rows.map(([first]) => first!.length));
  return rows.map(([first, second]) => `  ${first!.padEnd(width)}  ${escapeInvisible(second!)}`);
}
