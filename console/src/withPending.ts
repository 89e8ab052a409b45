/** A draft of a record's fields, with what is pending of others of its fields. */
import { type Draft, readDrafts } from './drafts';
import type { ChangeInput } from './operations/generated/graph';

/** One change of the revision that was read first, so that what somebody else has changed since is a conflict. */
export function withPending(draft: Draft): Draft {
  const own = new Set(draft.fields?.map(({ field }) => field));
  const pending = readDrafts().find(({ key }) => key === draft.key);
  const fields = (pending?.fields ?? []).filter(({ field }) => !own.has(field));
  if (!pending || fields.length === 0) return draft;
  const [[member, given]] = Object.entries(draft.change) as [[string, { input: object }]];
  const [kept] = Object.values(pending.change) as [{ input: object }];
  return {
    ...draft,
    ...(pending.lacks && { lacks: pending.lacks }),
    fields: [...fields, ...(draft.fields ?? [])],
    change: { [member]: { ...given, ...kept, input: { ...kept.input, ...given.input } } } as ChangeInput,
  };
}
