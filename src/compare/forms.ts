/** Forms of texts that are distinguished: guids, date-times, JWTs. */
import { isJsonObject, type JsonObject } from '../jsonObject.js';

// RFC 9562 §4, and the spellings of .NET: D, B, P and N
const guidForm = /^[{(]?[0-9a-f]{8}(-?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}[)}]?$/i;

/** Those in a text, as both services write them. */
export const guidsInText = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;

export const isGuid = (text: string): boolean => text.length >= 32 && text.length <= 38 && guidForm.test(text);

/** 32 digits in lower case: one text for one guid. */
export const guidDigits = (text: string): string => text.replaceAll(/[-{}()]/g, '').toLowerCase();

export interface DateTime {
  /** Milliseconds since the epoch, with a fraction; a time without a zone is taken as UTC. */
  moment: number;
  /** Such as `Z`, `+00:00`, or nothing. */
  zone: string;
  separator: string;
  fractionDigits: number;
}

// ISO 8601 as RFC 3339 and .NET write it
const dateTimeForm = /^(\d{4}-\d\d-\d\d)([T ])(\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|z|[+-]\d\d:?\d\d)?$/;

export function readDateTime(text: string): DateTime | undefined {
  if (text.length < 19 || text.length > 40) return undefined;
  const found = dateTimeForm.exec(text);
  if (!found) return undefined;
  const [, date, separator, time, fraction = '', zone = ''] = found;
  const seconds = Date.parse(`${date}T${time}${zone === '' ? 'Z' : zone.toUpperCase()}`);
  if (Number.isNaN(seconds)) return undefined;
  const moment = seconds + Number(`0.${fraction || '0'}`) * 1_000;
  return { moment, zone, separator: separator!, fractionDigits: fraction.length };
}

interface Jwt {
  header: JsonObject;
  claims: JsonObject;
}

const jwtForm = /^eyJ[\w-]{4,20000}\.[\w-]{2,20000}\.[\w-]{0,20000}$/;
const jwtBytesMax = 60_000;

/** Header and claims of a compact JWS (RFC 7519), whoever signed it; undefined for another text. */
export function readJwt(text: string): Jwt | undefined {
  if (text.length > jwtBytesMax || !jwtForm.test(text)) return undefined;
  try {
    const [header, claims] = text
      .split('.', 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8')));
    return isJsonObject(header) && isJsonObject(claims) ? { header, claims } : undefined;
  } catch {
    return undefined;
  }
}
