/** Compares two texts that are not the same: what they are decides what the difference is. */
import type { DifferenceKind } from './difference.js';
import { type DateTime, guidDigits, isGuid, readDateTime } from './forms.js';
import type { Pairs } from './pairs.js';

/** The kinds in which they differ; none: they are one value for whoever reads it. */
export function textDifferences(old: string, other: string, pairs: Pairs): DifferenceKind[] {
  if (isGuid(old) && isGuid(other)) return guidDifferences(old, other, pairs);
  const [first, second] = [readDateTime(old), readDateTime(other)];
  if (first && second) return timeDifferences(first, second, pairs);
  if (old.normalize() === other.normalize()) return ['text in another Unicode form'];
  if (old.toLowerCase() === other.toLowerCase()) return ['text in another case'];
  if (withoutSpace(old) === withoutSpace(other)) return ['text with other white space'];
  return ['text'];
}

const withoutSpace = (text: string): string => text.replaceAll(/\s/g, '');

function guidDifferences(old: string, other: string, pairs: Pairs): DifferenceKind[] {
  const [first, second] = [guidDigits(old), guidDigits(other)];
  const kinds: DifferenceKind[] = [];
  if (first !== second && !pairs.has('guid', first, second)) kinds.push('guid');
  if (caseOf(old) !== caseOf(other) && caseOf(old) && caseOf(other)) kinds.push('guid in another case');
  if (shapeOf(old) !== shapeOf(other)) kinds.push('guid in another spelling');
  return kinds;
}

/** Nothing for digits alone. */
function caseOf(guid: string): string {
  const letters = guid.replaceAll(/[^a-f]/gi, '');
  if (letters === '') return '';
  if (letters === letters.toLowerCase()) return 'lower';
  return letters === letters.toUpperCase() ? 'upper' : 'mixed';
}

const shapeOf = (guid: string): string => guid.replaceAll(/[0-9a-f]/gi, '');

function timeDifferences(old: DateTime, other: DateTime, pairs: Pairs): DifferenceKind[] {
  const kinds: DifferenceKind[] = [];
  const isSame = old.moment === other.moment;
  if (!isSame && !pairs.areOfNow(old.moment, other.moment)) kinds.push('another moment');
  if (zoneOf(old) !== zoneOf(other)) kinds.push('date-time with another zone');
  if (old.separator !== other.separator) kinds.push('date-time with another separator');
  // .NET leaves zeros at the end out: only of one moment the digits say how it is written
  if (isSame && old.fractionDigits !== other.fractionDigits) kinds.push('date-time with another precision');
  return kinds;
}

const zoneOf = ({ zone }: DateTime): string => (zone === '-00:00' ? '+00:00' : zone);
