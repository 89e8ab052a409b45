/** A plan as people read it on a terminal. */
import type { FilePlan, PlannedField, PlannedRecord } from '../services/managed/applyFile.js';

export type PlanCommand = 'plan' | 'apply' | 'drift';

/** More are counted: --json has them all. */
const recordsMax = 1_000;
const signs = { create: '+', update: '~', remove: '-' };

/** @param apply the command that carries it out, without the hash */
export function planText(plan: FilePlan, command: PlanCommand, apply: string): string {
  const { changes, effect, hash, changeSetGuid } = plan;
  if (changes.length === 0)
    return [...unlistedLines(plan), command === 'drift' ? 'No drift.' : 'Nothing to do.'].join('\n');
  const shown = changes.slice(0, recordsMax).flatMap(recordLines);
  if (changes.length > recordsMax) shown.push(`… and ${changes.length - recordsMax} more: --json has them all.`);
  const lines = [...shown, '', countLine(plan)];
  if (effect) lines.push(effectLine('gain', effect.gains), effectLine('lose', effect.loses));
  lines.push(...unlistedLines(plan));
  if (command === 'plan') lines.push('', `Exactly this does: ${apply} --plan ${hash}`);
  if (changeSetGuid) lines.push('', `Change set ${changeSetGuid}: undoChangeSet takes it back.`);
  return lines.join('\n');
}

function recordLines({ list, action, key, name, fields, removedByHand }: PlannedRecord): string[] {
  const named = [...Object.values(key).map(keyText), ...(name === null ? [] : [JSON.stringify(name)])].join(' ');
  const hand = removedByHand ? `  (removed by hand: ${handText(removedByHand)})` : '';
  return [`${signs[action]} ${list} ${named}${hand}`, ...(action === 'update' ? fields.flatMap(fieldLines) : [])];
}

/** It may hold what moves a terminal's cursor. */
const keyText = (value: unknown): string =>
  /^[\w.-]{1,255}$/.test(String(value)) ? String(value) : JSON.stringify(value);

function fieldLines({ field, before, after, changedByHand }: PlannedField): string[] {
  const hand = changedByHand ? [`      changed by hand: ${handText(changedByHand)}`] : [];
  return [`    ${field}: ${differenceText(before, after)}`, ...hand];
}

function differenceText(before: PlannedField['before'], after: PlannedField['after']): string {
  if (!Array.isArray(before) || !Array.isArray(after)) return `${JSON.stringify(before)} → ${JSON.stringify(after)}`;
  const [was, is] = [new Set(before), new Set(after)];
  return [
    ...after.filter((each) => !was.has(each)).map((each) => `+${each}`),
    ...before.filter((each) => !is.has(each)).map((each) => `-${each}`),
  ].join(' ');
}

type Hand = NonNullable<PlannedField['changedByHand']>;
const handText = ({ actor, actorName, occurredAt, face, note }: Hand): string =>
  [
    actorName === null ? actor : `${JSON.stringify(actorName)} (${actor})`,
    occurredAt,
    face,
    ...(note === null ? [] : [JSON.stringify(note)]),
  ].join(', ');

const countLine = ({ summary: { created, updated, removed }, changeSetGuid }: FilePlan): string =>
  changeSetGuid
    ? `Created ${created}, changed ${updated}, removed ${removed}.`
    : `To create: ${created}, to change: ${updated}, to remove: ${removed}.`;

function effectLine(verb: 'gain' | 'lose', side: NonNullable<FilePlan['effect']>['gains']): string {
  const { users, sessions, profiles, applications, scopes } = side;
  return `${users} users (${sessions} sessions) of ${profiles} profiles ${verb} ${applications} applications and ${scopes} scopes.`;
}

const unlistedLines = ({ summary: { unlisted } }: FilePlan): string[] =>
  unlisted === 0 ? [] : [`${unlisted} managed records are not in the file and stay: --prune removes them.`];
