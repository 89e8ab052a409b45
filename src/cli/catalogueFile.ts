/** Reads the catalogue in git: a file in JSON or YAML, or a folder of them whose lists go together. */
import { readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError, type Problems } from '../errors.js';
import { isJsonObject, type JsonObject } from '../jsonObject.js';
import { readJson, readText } from './importCommand.js';

/** As the operator names it, and where it is. */
export interface GivenPath {
  shown: string;
  path: string;
}

interface CatalogueFile {
  content: Record<string, unknown>;
  /** The problems by their places in the files that the rows came from. */
  place(problems: Problems): Problems;
}

const extensions = /\.(json|ya?ml)$/i;
/** A document in YAML takes some thirty times its length in memory. */
const yamlLengthMax = 64 * 1024 * 1024;
const filesMax = 10_000;

/** Throws OperatorError with the place of what is wrong. */
export async function readCatalogueFile({ shown, path }: GivenPath): Promise<CatalogueFile> {
  if (!statOf(shown, path).isDirectory()) {
    const content = requireObject(shown, await readParsed({ shown, path }));
    return { content, place: (problems) => problems };
  }
  const files = listFiles({ shown, path });
  if (files.length === 0) throw new OperatorError(`${shown} holds no file that ends in .json, .yaml or .yml.`);
  return joined(
    await Promise.all(
      files.map(async (file) => ({
        shown: file.shown,
        content: requireObject(file.shown, await readParsed(file)),
      })),
    ),
  );
}

function statOf(shown: string, path: string): Stats {
  try {
    return statSync(path);
  } catch {
    throw new OperatorError(`${shown} can't be read: there is no such file.`);
  }
}

/** In the order of their names, folders inside too; what begins with a dot is of git or of an editor. */
function listFiles({ shown, path }: GivenPath, found: GivenPath[] = []): GivenPath[] {
  const entries = readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.'))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const entry of entries) {
    const each = { shown: join(shown, entry.name), path: join(path, entry.name) };
    // links to folders could lead round in a circle
    if (entry.isDirectory()) listFiles(each, found);
    else if (extensions.test(entry.name) && statOf(each.shown, each.path).isFile()) found.push(each);
    if (found.length > filesMax) throw new OperatorError(`${shown} holds more than ${filesMax} files.`);
  }
  return found;
}

async function readParsed({ shown, path }: GivenPath): Promise<unknown> {
  if (!/\.ya?ml$/i.test(shown)) return readJson(shown, path);
  const text = readText(shown, path);
  if (text.length > yamlLengthMax)
    throw new OperatorError(`${shown} is larger than 64 MB: split it, or write it as JSON.`);
  const { parse, YAMLParseError } = await import('yaml');
  try {
    // YAML 1.2: a date is a text; a few thousand aliases are no way to a few billion nodes
    return parse(text, { prettyErrors: true, maxAliasCount: 1_000, logLevel: 'error' });
  } catch (error) {
    const at = error instanceof YAMLParseError ? error.linePos?.[0] : undefined;
    const place = at ? `line ${at.line}, column ${at.col}: ` : '';
    // the library's own words for it tell which of its functions to call
    const isSecond = error instanceof YAMLParseError && error.code === 'MULTIPLE_DOCS';
    const fault = isSecond ? 'a second document begins here' : (error as Error).message.split(/ at line |\n/)[0];
    throw new OperatorError(`${shown} is not YAML: ${place}${fault}.`);
  }
}

function requireObject(shown: string, content: unknown): JsonObject {
  if (isJsonObject(content)) return content;
  throw new OperatorError(`${shown} must be an object with lists such as "applications".`);
}

/** Rows of one list, from the first to the one before the next part's first. */
interface Part {
  list: string;
  first: number;
  shown: string;
}

function joined(files: { shown: string; content: Record<string, unknown> }[]): CatalogueFile {
  const content: Record<string, unknown> = {};
  const parts: Part[] = [];
  for (const { shown, content: own } of files) {
    for (const [name, value] of Object.entries(own)) {
      if (name === 'managedBy') {
        if (content[name] !== undefined && content[name] !== value)
          throw new OperatorError(`${shown}: managedBy is another than in the files before it.`);
        content[name] = value;
      } else {
        if (!Array.isArray(value))
          throw new OperatorError(`${shown}: ${JSON.stringify(name.slice(0, 100))} must be an array.`);
        const rows = (content[name] ?? []) as unknown[];
        parts.push({ list: name, first: rows.length, shown });
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
      const part = parts.findLast((each) => each.list === list && each.first <= Number(row));
      return part ? `${part.shown}: ${list}[${Number(row) - part.first}]` : whole;
    });
  return Object.fromEntries(Object.entries(problems).map(([path, texts]) => [place(path), texts.map(place)]));
}
