/** Every kind of change answers every question that is asked of changes, and the graph offers exactly these kinds. */
import type { Context } from '../../../src/context.js';
import { openSchema } from '../../../src/graphql/schema.js';
import { kindNamed, kinds, readChange } from '../../../src/modules/changes/kinds/all.js';
import { planChanges } from '../../../src/modules/changes/planChanges.js';
import type { Words } from '../../../src/modules/changes/words.js';
import { subjectsOf } from '../../../src/modules/governance/proposals/owners.js';
import { fillObject, membersOf } from './filledChanges.js';

const words: Words = {
  config: { timeZone: 'UTC', mappingActiveStates: ['active'] } as unknown as Context['config'],
  labels: new Map(),
};
const changes = () =>
  membersOf().map(({ name, fields }) => ({
    name,
    change: { [name]: fillObject(fields, undefined).value } as Record<string, Record<string, unknown>>,
  }));

it('the members of ChangeInput are the kinds, and each has a name of its own', () => {
  expect(kinds.map(({ name }) => name).sort()).toEqual(
    membersOf()
      .map(({ name }) => name)
      .sort(),
  );
  expect(kinds.map(({ family }) => kindNamed(family).family)).toEqual(kinds.map(({ family }) => family));
});

it('every mutation that changes the catalogue with admin:write can be part of a change set', () => {
  const mutations = Object.values(openSchema().getMutationType()!.getFields())
    .filter(({ extensions }) => (extensions.requires ?? []).flat().includes('admin:write'))
    .map(({ name }) => name);
  const missing = mutations.filter((mutation) => !kinds.some(({ name }) => name === mutation));
  // these make change sets of changes that they are given
  expect(missing.sort()).toEqual(['applyCatalogue', 'applyChanges']);
});

it.each(changes())('$name can be planned, said, weighed, owned and ended', ({ name, change }) => {
  const { value } = readChange(change);
  const { does, title, effect, ownedBy, endingAt } = kindNamed(name);
  const [planned] = planChanges([change]);
  expect(planned!.items).toBeGreaterThan(0);
  expect(planned!.parts).toEqual([{ path: `changes[0].${name}`, name, value }]);
  if ('set' in does) expect(does.keyOf(value)).not.toBe('');
  for (const text of [title.sentence(words, [value]), title.summary(words, [value, value])])
    expect(text).toMatch(/^\S.*[^\s(]$/s);
  expect(title.differsIn.filter((field) => !/(Guids?|Id|from)$/.test(field))).toEqual([]);
  expect(title.makes(value)?.name).not.toBe('');
  expect([effect.isBesideAccess(value), effect.putsOutOfUse(value)]).toEqual([
    expect.any(Boolean),
    expect.any(Boolean),
  ]);
  expect(effect.subject(value)).not.toContain('undefined');
  const owned = ownedBy && Object.values(ownedBy(value));
  if (owned) expect(owned).toEqual([value.applicationGuid ?? value.profileId]);
  expect(subjectsOf([change]) === null).toBe(owned === null);
  if (endingAt) expect(endingAt(value, '2037-02-24')).toEqual({ ...value, validUntil: '2037-02-24' });
});

// the field says it: what has an end and names people gives something to these people only
it('whatever has an end and names people can be given until a time', () => {
  for (const { name, fields } of membersOf()) {
    const names = fields.map((field) => field.name);
    const isOfPeople = names.some((field) => /^userGuids?$/.test(field)) && names.includes('validUntil');
    expect([name, kindNamed(name).endingAt !== null]).toEqual([name, isOfPeople]);
  }
});

// the fields say it: items or a cell of an application's mappings, or who holds a profile in which role
it('owners decide about mappings of applications and holders of profiles, and about nothing else', () => {
  for (const { name, fields } of membersOf()) {
    const names = fields.map((field) => field.name);
    const isOfMappings = names.includes('applicationGuid') && names.some((field) => /^(items|accessScope)/.test(field));
    const isOfHolders = names.includes('profileId') && names.includes('roleId');
    expect([name, kindNamed(name).ownedBy !== null]).toEqual([name, isOfMappings || isOfHolders]);
  }
});
