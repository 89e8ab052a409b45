/** The changes that others made to the records of drafts, and drafts that continue from them. */
import { type Draft, isSameValue, type Subject } from '../drafts';
import { ask } from '../graph';
import { noAccess } from '../mappingDraft';
import type { MappingChangeInput, TranslationChangeInput } from '../operations/generated/graph';
import * as present from '../operations/generated/present';
import { type ScopeOfProfile, scopesDraft, wantedScopes } from '../profileDraft';
import { type Range, readToEnd } from '../readToEnd';
import { textKey } from '../textDraft';
import { fieldWords, fullName, plural, valueWords } from '../words';
import { lockOf, withLock } from './changesOf';
import { readMappings, readTexts } from './presentCells';

/** What is there now in the place of a draft. */
export interface Theirs {
  /** In words. */
  words: string;
  /** Who made it so, where that is known. */
  by?: string;
  /** Whether the draft wants just that: another made the change too, or oneself, where the answer was lost. */
  isSame: boolean;
  /** The draft, going on from what is there now, and others of the same record. */
  mine: Draft[];
}

/**
 * Reads the current records by the keys of the drafts: one request for all mappings, one for all texts, and one for each
 * other record. Throws Refusal.
 */
export async function readTheirs(drafts: readonly Draft[], all: readonly Draft[]): Promise<Map<string, Theirs>> {
  const mappings = drafts.flatMap((draft) => (draft.change.mapping ? [{ draft, cell: draft.change.mapping }] : []));
  const texts = drafts.flatMap((draft) =>
    draft.change.translation ? [{ draft, cell: draft.change.translation }] : [],
  );
  const others = drafts.filter(({ change }) => !change.mapping && !change.translation);
  const found = await Promise.all([
    mappingsTheirs(mappings),
    textsTheirs(texts),
    ...others.map((draft) => recordTheirs(draft, all)),
  ]);
  return new Map(found.flat());
}

type Found = [key: string, theirs: Theirs][];

async function mappingsTheirs(drafts: readonly { draft: Draft; cell: MappingChangeInput }[]): Promise<Found> {
  if (drafts.length === 0) return [];
  const now = await readMappings(drafts.map(({ cell }) => cell));
  return drafts.map(({ draft, cell }) => {
    const application = now.find(({ applicationGuid }) => applicationGuid === cell.applicationGuid);
    const mapping = application?.accessScopeApplicationsMappers.nodes.find(
      ({ accessScope }) => accessScope.accessScopeGuid === cell.accessScopeGuid,
    );
    const ofType = application?.accessScopeTypeApplicationsMappers.nodes.find(
      ({ accessScopeType }) => accessScopeType.accessScopeTypeGuid === cell.accessScopeTypeGuid,
    );
    const from = (mapping ?? ofType)?.state ?? null;
    const person = mapping && (mapping.modifiedByNavigation ?? mapping.createdByNavigation);
    const mine = { ...draft, from: from ?? noAccess, change: { mapping: { ...cell, from } } };
    return [
      draft.key,
      {
        words: from ?? noAccess,
        isSame: isSameValue(from, cell.to),
        mine: [mine],
        ...(person && { by: fullName(person) }),
      },
    ];
  });
}

async function textsTheirs(drafts: readonly { draft: Draft; cell: TranslationChangeInput }[]): Promise<Found> {
  if (drafts.length === 0) return [];
  const texts = new Map((await readTexts(drafts.map(({ cell }) => cell))).map((text) => [textKey(text), text]));
  return drafts.map(({ draft, cell }) => {
    const from = texts.get(textKey(cell))?.translatedText ?? null;
    const mine = { ...draft, from: valueWords(from), change: { translation: { ...cell, from } } };
    return [draft.key, { words: valueWords(from), isSame: isSameValue(from, cell.to), mine: [mine] }];
  });
}

interface Present {
  revision: number;
  modifiedByNavigation: { firstName: string | null; lastName: string | null } | null;
  /** All of a profile. */
  profileAccessScopes?: { nodes: { accessScope: { accessScopeGuid: string; name: string } }[] };
}

/** With all of its access scopes. */
async function presentProfile(id: string) {
  const read = async (page: Range) => (await ask(present.presentProfile, { id, ...page })).record;
  let record: Awaited<ReturnType<typeof read>> = null;
  const nodes = await readToEnd(async (page) => {
    record = await read(page);
    return record?.profileAccessScopes;
  });
  return { record: record && Object.assign(record, { profileAccessScopes: { nodes } }) };
}

const readers: { [kind in Subject['kind']]?: (id: string) => Promise<{ record: (Present & object) | null }> } = {
  application: (id) => ask(present.presentApplication, { id }),
  user: (id) => ask(present.presentUser, { id }),
  profile: presentProfile,
  scope: (id) => ask(present.presentScope, { id }),
  type: (id) => ask(present.presentType, { id }),
  role: (id) => ask(present.presentRole, { id }),
};

async function recordTheirs(draft: Draft, all: readonly Draft[]): Promise<Found> {
  const { kind, id } = draft.subject;
  const { record } = (await readers[kind]?.(id)) ?? { record: null };
  if (!record) return [[draft.key, { words: 'it is there no more', isSame: false, mine: [draft] }]];
  const now = new Map<string, unknown>(Object.entries(record));
  const { revision } = record;
  const nodes = record.profileAccessScopes?.nodes ?? [];
  const scopes = nodes.map(({ accessScope: { accessScopeGuid: guid, name } }) => ({ guid, name }));
  const goOn = (each: Draft): Draft => {
    const profile = { profileId: id, name: each.subject.name, revision, scopes };
    if (each.change.setProfileAccessScopes) return scopesDraft(profile, wantedScopes(profile, [each]));
    const fields = each.fields?.map((own) => (now.has(own.field) ? { ...own, before: now.get(own.field) } : own));
    return { ...each, ...(fields && { fields }), change: withLock(each.change, revision) };
  };
  const others = all.filter(
    (each) => each.key !== draft.key && each.subject.kind === kind && each.subject.id === id && lockOf(each.change),
  );
  const mine = goOn(draft);
  const { setProfileAccessScopes } = draft.change;
  const words = setProfileAccessScopes
    ? scopesTheirs(draft, setProfileAccessScopes.accessScopeGuids, scopes)
    : mine.fields?.map(({ field, before }) => `${fieldWords(field)}: ${valueWords(before)}`);
  const own = draft.fields ?? [];
  const isSame = setProfileAccessScopes
    ? mine.fields?.length === 0
    : own.length > 0 && own.every(({ field, after }) => now.has(field) && isSameValue(now.get(field), after));
  const person = record.modifiedByNavigation;
  return [
    [
      draft.key,
      {
        words: words?.join(', ') || 'changed',
        isSame,
        mine: [mine, ...others.map(goOn)],
        ...(person && { by: fullName(person) }),
      },
    ],
  ];
}

/** What others gave to a profile and took from it since the draft was made, which says all that the profile shall have. */
function scopesTheirs({ fields = [] }: Draft, wanted: readonly string[], now: readonly ScopeOfProfile[]): string[] {
  const given = new Set(fields.map(({ after }) => after));
  const read = new Set([
    ...wanted.filter((guid) => !given.has(guid)),
    ...fields.flatMap(({ before }) => (before ? [String(before)] : [])),
  ]);
  const added = now.filter(({ guid }) => !read.has(guid));
  const taken = read.size - (now.length - added.length);
  return [...added.map(({ name }) => `+ ${name}`), ...(taken > 0 ? [`− ${plural(taken, 'access scope')}`] : [])];
}
