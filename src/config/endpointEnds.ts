/** Reads the entries of ENDPOINT_ENDS: paths whose end is announced, and their brown-outs. */
import { findFault, ifPresent, isWhole, type MemberChecks, readObjects, required } from './parsers.js';

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

const endsMax = 100;
const brownoutsMax = 1_000;
const dayMinutes = 1_440;

const form = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value);
const isWebAddress = (value: unknown): boolean =>
  typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);

const time = 'a time with its offset, such as 2027-01-31T09:00:00Z';
const isTime = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\dT.{1,20}(Z|[+-]\d\d:\d\d)$/.test(value) &&
  !Number.isNaN(Date.parse(value));

const brownoutMembers: MemberChecks = {
  minutes: required(`a whole number from 1 to ${dayMinutes}`, isWhole(dayMinutes)),
  everyHours: ifPresent('a whole number from 1 to 8760', isWhole(8_760)),
  at: required(time, isTime),
};

const members: MemberChecks = {
  path: required('a path such as /api/applications', form(/^(\/[\w.:-]{1,100}){1,10}$/)),
  mediaType: ifPresent('a media type such as application/json', form(/^[\w.+-]{1,60}\/[\w.+-]{1,60}$/)),
  link: ifPresent('an http(s) address', isWebAddress),
  deprecatedAt: required(time, isTime),
  sunsetAt: (value, { deprecatedAt }) => {
    if (value === undefined) return undefined;
    if (!isTime(value)) return time;
    // RFC 9745 §4
    return Date.parse(value) < Date.parse(String(deprecatedAt)) ? 'not before deprecatedAt' : undefined;
  },
  brownouts: (value = []) => {
    if (!Array.isArray(value) || value.length > brownoutsMax) return 'an array';
    for (const [index, brownout] of value.entries()) {
      const fault = findFault(brownout, brownoutMembers);
      if (fault) return { ...fault, path: `[${index}]${fault.path}` };
    }
    return undefined;
  },
};

/** An entry as it is written: with times as texts. */
interface Written extends Omit<EndpointEnd, 'deprecatedAt' | 'sunsetAt' | 'brownouts'> {
  deprecatedAt: string;
  sunsetAt?: string;
  brownouts?: (Omit<Brownout, 'at'> & { at: string })[];
}

export function endpointEnds(value: string): EndpointEnd[] {
  const ends = readObjects(value, members, `a JSON array with an entry per path, ${endsMax} at most`, endsMax);
  return (ends as unknown as Written[]).map(({ path, mediaType, deprecatedAt, sunsetAt, link, brownouts = [] }) => ({
    path: path.toLowerCase(),
    ...(mediaType !== undefined && { mediaType: mediaType.toLowerCase() }),
    deprecatedAt: Date.parse(deprecatedAt),
    ...(sunsetAt !== undefined && { sunsetAt: Date.parse(sunsetAt) }),
    ...(link !== undefined && { link: new URL(link).href }),
    brownouts: brownouts.map((brownout) => ({ ...brownout, at: Date.parse(brownout.at) })),
  }));
}
