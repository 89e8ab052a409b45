/**
 * Finds the OData options in a query string: separate parameters, and those inside one `options` parameter.
 * Every value is percent-decoded once. What is no option is no fault.
 */
import { decodeForm } from '../../http/decodeForm.js';
import { OptionError } from './optionError.js';

const optionNames = ['$filter', '$orderby', '$top', '$skip', '$select', '$expand', '$count'] as const;
export type OptionName = (typeof optionNames)[number];

/** OData's options that this service doesn't have. They count only with their `$`: `search` is any client's own word. */
const refusedOptions = ['$apply', '$compute', '$search', '$skiptoken'] as const;
type RefusedName = (typeof refusedOptions)[number];

/** The parameter that holds options. */
const optionsParameter = 'options';

/** An option as it stands in the query, in the order there. */
export interface GivenOption {
  name: OptionName | RefusedName | typeof optionsParameter;
  /** Decoded; an error when its percent-encoding is malformed. */
  value: string | OptionError;
}

interface Parameter {
  name: string;
  value: string;
}

/**
 * The options of a raw query string (without `?`), those that are refused among them; one `options` for each `options`
 * parameter of OData's form, followed by what it holds. Parameters of any other name are left out.
 */
export function findOptions(query: string): GivenOption[] {
  return withoutMark(query)
    .split('&')
    .flatMap((part): GivenOption[] => {
      const { name, value } = splitPair(part);
      const decodedName = decodeForm(name)?.trim() ?? '';
      if (decodedName.toLowerCase() === optionsParameter) return readOptionsParameter(value);
      const option = canonicalName(decodedName);
      if (option !== undefined) return [{ name: option, value: decodeForm(value) ?? malformed(option) }];
      const meant = canonicalName(decodeForm(decodedName)?.trim() ?? '');
      return meant === undefined ? [] : [{ name: meant, value: encodedTwice(meant) }];
    });
}

/** The `?` that a client put before its options although one stands there already. */
const withoutMark = (text: string): string => (text.startsWith('?') ? text.slice(1) : text);

/** True for the options that {@link findOptions} reports but nobody may use. */
export function isRefused(name: GivenOption['name']): name is RefusedName {
  return refusedOptions.some((refused) => refused === name);
}

/** Junk that old generated clients send, an empty value among it, has no options in it: then there are none. */
function readOptionsParameter(raw: string): GivenOption[] {
  const text = decodeForm(raw);
  const given = splitOptions(withoutMark((text ?? decodeAscii(raw)).trimStart()));
  if (given.length === 0) {
    const isTwice = text !== undefined && splitOptions(withoutMark(decodeForm(text) ?? '')).length > 0;
    return isTwice ? [{ name: optionsParameter, value: encodedTwice(optionsParameter) }] : [];
  }
  return text === undefined
    ? [{ name: optionsParameter, value: malformed(optionsParameter) }]
    : [{ name: optionsParameter, value: text }, ...given];
}

/** `$filter=…&$top=…`, decoded already; an `&` between the quotes of an option's string literal doesn't separate. */
function splitOptions(text: string): GivenOption[] {
  const given: GivenOption[] = [];
  for (let from = 0; from <= text.length; ) {
    const next = endOf(text, from, /&/g);
    const { name } = splitPair(text.slice(from, next));
    const option = canonicalName(name.trim());
    const isOption = option !== undefined && (name.length < next - from || name.includes('$'));
    const end = isOption ? endOf(text, from, /&|'[^']{0,16384}'?/g) : next;
    if (isOption) given.push({ name: option, value: splitPair(text.slice(from, end)).value });
    from = end + 1;
  }
  return given;
}

/** Where the first `&` is that the pattern doesn't find as a part of something longer; the text's end without one. */
function endOf(text: string, from: number, pattern: RegExp): number {
  pattern.lastIndex = from;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (match[0] === '&') return match.index;
  }
  return text.length;
}

function splitPair(part: string): Parameter {
  const equals = part.indexOf('=');
  return equals < 0 ? { name: part, value: '' } : { name: part.slice(0, equals), value: part.slice(equals + 1) };
}

/** `$` and lower case; undefined for other names, refused ones without their `$` among them. */
function canonicalName(name: string): OptionName | RefusedName | undefined {
  const lower = /^\$?[a-z]{1,20}$/i.test(name) ? name.toLowerCase() : '';
  return (
    optionNames.find((option) => option === lower || option.slice(1) === lower) ??
    refusedOptions.find((option) => option === lower)
  );
}

/** What can be read of a malformed text, to tell broken options from junk. */
function decodeAscii(text: string): string {
  return text.replace(/%[2-7][0-9a-f]/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
}

function encodedTwice(option: string): OptionError {
  return new OptionError(option, 'The percent-encoding is applied twice');
}

function malformed(option: string): OptionError {
  return new OptionError(option, 'The percent-encoding is malformed');
}
