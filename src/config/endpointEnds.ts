/** Reads the entries of ENDPOINT_ENDS: paths whose end is announced, and their brown-outs. */
import { isJsonObject } from '../jsonObject.js';
import { InvalidSetting } from './parsers.js';

export interface Brownout {
  /** Milliseconds of the epoch. */
  at: number;
  minutes: number;
  /** Interval of repetitions until the end; absent: once. */
  everyHours?: number;
}

export interface EndpointEnd {
  /** The path without BASE_PATH, in lower case; includes the paths below it. */
  path: string;
  /** Only requests of this media type; absent: all. */
  mediaType?: string;
  /** Milliseconds of the epoch. */
  deprecatedAt: number;
  sunsetAt?: number;
  /** Address of a page about the end. */
  link?: string;
  brownouts: Brownout[];
}

const members = ['path', 'mediaType', 'deprecatedAt', 'sunsetAt', 'link', 'brownouts'];
const brownoutMembers = ['at', 'minutes', 'everyHours'];
const endsMax = 100;
const brownoutsMax = 1_000;
const dayMinutes = 1_440;

type Fault = (name: string, wants: string) => InvalidSetting;
type Entry = Record<string, unknown>;

export function endpointEnds(value: string): EndpointEnd[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch {
    throw new InvalidSetting('JSON');
  }
  if (!Array.isArray(parsed) || parsed.length > endsMax)
    throw new InvalidSetting(`a JSON array with an entry per path, ${endsMax} at most`);
  return parsed.map((entry, index) =>
    readEnd(
      objectOf(entry, `[${index}]`, members),
      (name, wants) => new InvalidSetting(`right in [${index}].${name}: ${wants}`),
    ),
  );
}

function objectOf(value: unknown, place: string, names: readonly string[]): Entry {
  if (!isJsonObject(value)) throw new InvalidSetting(`right in ${place}: an object`);
  for (const name of Object.keys(value))
    if (!names.includes(name)) throw new InvalidSetting(`right in ${place}.${name}: no such member`);
  return value as Entry;
}

function readEnd(entry: Entry, at: Fault): EndpointEnd {
  const { path, mediaType, link, brownouts = [] } = entry;
  if (typeof path !== 'string' || !/^(\/[\w.:-]{1,100}){1,10}$/.test(path))
    throw at('path', 'a path such as /api/applications');
  if (mediaType !== undefined && (typeof mediaType !== 'string' || !/^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(mediaType)))
    throw at('mediaType', 'a media type such as application/json');
  if (link !== undefined && !isWebAddress(link)) throw at('link', 'an http(s) address');
  const deprecatedAt = readTime(entry.deprecatedAt, 'deprecatedAt', at);
  const sunsetAt = entry.sunsetAt === undefined ? undefined : readTime(entry.sunsetAt, 'sunsetAt', at);
  // RFC 9745 §4
  if (sunsetAt !== undefined && sunsetAt < deprecatedAt) throw at('sunsetAt', 'not before deprecatedAt');
  if (!Array.isArray(brownouts) || brownouts.length > brownoutsMax) throw at('brownouts', 'an array');
  return {
    path: path.toLowerCase(),
    ...(mediaType !== undefined && { mediaType: mediaType.toLowerCase() }),
    deprecatedAt,
    ...(sunsetAt !== undefined && { sunsetAt }),
    ...(link !== undefined && { link: new URL(link).href }),
    brownouts: brownouts.map((brownout, index) =>
      readBrownout(objectOf(brownout, `brownouts[${index}]`, brownoutMembers), (name, wants) =>
        at(`brownouts[${index}].${name}`, wants),
      ),
    ),
  };
}

const isWebAddress = (value: unknown): value is string =>
  typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);

function readTime(value: unknown, name: string, at: Fault): number {
  const time =
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT.{1,20}(Z|[+-]\d\d:\d\d)$/.test(value)
      ? Date.parse(value)
      : Number.NaN;
  if (Number.isNaN(time)) throw at(name, 'a time with its offset, such as 2027-01-31T09:00:00Z');
  return time;
}

const isWhole = (value: unknown, max: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max;

function readBrownout({ at: time, minutes, everyHours }: Entry, at: Fault): Brownout {
  if (!isWhole(minutes, dayMinutes)) throw at('minutes', `a whole number from 1 to ${dayMinutes}`);
  if (everyHours !== undefined && !isWhole(everyHours, 8_760)) throw at('everyHours', 'a whole number from 1 to 8760');
  return { at: readTime(time, 'at', at), minutes, ...(everyHours !== undefined && { everyHours }) };
}
