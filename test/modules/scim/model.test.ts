/** Drawn requests have the same answers and results as at a simple SCIM server in memory. */
import fc from 'fast-check';
import { startTestApp, type TestApp } from '../../support/app.js';
import { newConnector, newGroup, type Scim } from '../../support/connectors.js';
import { factor, seed } from '../../support/schedules.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ SCIM_RATE_LIMIT: '0' });
});

interface Person {
  userName: string;
  externalId: string;
  active: boolean;
  title: string | undefined;
  isDeleted: boolean;
}

/** The server in memory. People are numbered as they were created; the real ids are beside. */
class Model {
  readonly people: Person[] = [];
  readonly members = [new Set<number>(), new Set<number>()];

  visible = (n: number): Person | undefined => (this.people[n]?.isDeleted ? undefined : this.people[n]);
  private isTaken = (userName: string, but?: Person) =>
    this.people.some(
      (each) => each !== but && !each.isDeleted && each.userName.toLowerCase() === userName.toLowerCase(),
    );

  /** Gives the status, and the number of the person. */
  create(given: Omit<Person, 'isDeleted'>): [status: number, n?: number] {
    const known = this.people.findIndex(({ externalId }) => externalId === given.externalId);
    if (this.isTaken(given.userName) || this.visible(known)) return [409];
    const person = { ...given, isDeleted: false };
    if (known < 0) return [201, this.people.push(person) - 1];
    this.people[known] = person;
    return [201, known];
  }

  change(n: number, values: Partial<Person>): number {
    const person = this.visible(n);
    if (!person) return 404;
    if (values.userName !== undefined && this.isTaken(values.userName, person)) return 409;
    Object.assign(person, values);
    return 200;
  }

  remove(n: number): number {
    const person = this.visible(n);
    if (!person) return 404;
    person.isDeleted = true;
    for (const members of this.members) members.delete(n);
    return 204;
  }

  link(group: number, operation: 'add' | 'remove' | 'replace', numbers: number[]): number {
    const members = this.members[group]!;
    if (operation !== 'remove' && numbers.some((n) => !this.visible(n))) return 400;
    if (operation === 'replace') members.clear();
    for (const n of numbers) operation === 'remove' ? members.delete(n) : members.add(n);
    return 204;
  }
}

const small = fc.nat(4);
const names = small.map((n) => `Name ${n}`);
const person = fc.record({
  userName: names,
  externalId: small.map((n) => `id ${n}`),
  active: fc.boolean(),
  title: fc.option(fc.constantFrom('Lead', 'Müller "x" \\ €'), { nil: undefined }),
});
const link = fc.record({
  kind: fc.constant('link' as const),
  group: fc.nat(1),
  operation: fc.constantFrom('add' as const, 'remove' as const, 'replace' as const),
  numbers: fc.uniqueArray(small, { maxLength: 3 }),
});
/** Links are drawn most: they have the most states. */
const command = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), person }),
  fc.record({ kind: fc.constant('put' as const), n: small, person }),
  fc.record({ kind: fc.constant('rename' as const), n: small, userName: names }),
  fc.record({ kind: fc.constant('active' as const), n: small, active: fc.boolean() }),
  fc.record({ kind: fc.constant('remove' as const), n: small }),
  link,
  link,
  link,
);
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;

const nobody = '00000000-0000-4000-8000-000000000000';
let runs = 0;
/** So that the first links have users. */
const beginning: Command[] = [0, 1, 2, 3].map((n) => ({
  kind: 'create',
  person: { userName: `Name ${n}`, externalId: `id ${n}`, active: true, title: undefined },
}));

class Real {
  readonly ids: string[] = [];
  constructor(
    readonly scim: Scim,
    readonly groups: string[],
  ) {}
  id = (n: number) => this.ids[n] ?? nobody;

  async run(step: Command): Promise<{ status: number; id?: string }> {
    const { scim } = this;
    const patch = (path: string, operation: object) => scim('PATCH', path, { Operations: [operation] });
    if (step.kind === 'create') {
      const { status, json } = await scim('POST', '/Users', step.person);
      return { status, id: json.id };
    }
    if (step.kind === 'put') {
      const { externalId: _same, ...body } = step.person;
      return scim('PUT', `/Users/${this.id(step.n)}`, body);
    }
    if (step.kind === 'rename')
      return patch(`/Users/${this.id(step.n)}`, { op: 'replace', path: 'userName', value: step.userName });
    if (step.kind === 'active')
      return patch(`/Users/${this.id(step.n)}`, { op: 'Replace', value: { active: String(step.active) } });
    if (step.kind === 'remove') return scim('DELETE', `/Users/${this.id(step.n)}`);
    const value = step.numbers.map((n) => ({ value: this.id(n) }));
    // a removal without a value would be one of all
    if (step.operation === 'remove' && value.length === 0) return { status: 204 };
    return patch(`/Groups/${this.groups[step.group]}`, { op: step.operation, path: 'members', value });
  }

  async state(): Promise<object> {
    const users = (await this.scim('GET', '/Users?attributes=userName,externalId,active,title')).json.Resources;
    const groups = await Promise.all(
      this.groups.map(async (id) => (await this.scim('GET', `/Groups/${id}`)).json.members),
    );
    const numberOf = (id: string) => this.ids.indexOf(id);
    return {
      users: users
        .map((user: Record<string, unknown>) => [
          numberOf(String(user.id)),
          user.userName,
          user.externalId,
          user.active,
          user.title,
        ])
        .sort(),
      groups: groups.map((members) => members.map(({ value }: { value: string }) => numberOf(value)).sort()),
    };
  }
}

const play = (model: Model, step: Command): [status: number, n?: number] => {
  if (step.kind === 'create') return model.create(step.person);
  if (step.kind === 'put') {
    const { externalId: _same, ...values } = step.person;
    return [model.change(step.n, values)];
  }
  if (step.kind === 'rename') return [model.change(step.n, { userName: step.userName })];
  if (step.kind === 'active') return [model.change(step.n, { active: step.active })];
  if (step.kind === 'remove') return [model.remove(step.n)];
  return [model.link(step.group, step.operation, step.numbers)];
};

const stateOf = (model: Model): object => ({
  users: model.people
    .flatMap(({ isDeleted, userName, externalId, active, title }, n) =>
      isDeleted ? [] : [[n, userName, externalId, active, title]],
    )
    .sort(),
  groups: model.members.map((members) => [...members].sort()),
});

it(`drawn requests, seed ${seed}`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 10, maxLength: 30 }), async (steps) => {
      const name = `model-${runs++}`;
      const { scim } = await newConnector(app.context, app.url, name);
      const groups = [await newGroup(app.context, `${name}-a`), await newGroup(app.context, `${name}-b`)];
      const real = new Real(scim, groups);
      const model = new Model();
      for (const step of [...beginning, ...steps]) {
        const [status, n] = play(model, step);
        const answer = await real.run(step);
        expect([step, answer.status]).toEqual([step, status]);
        if (n !== undefined) {
          expect(real.ids[n] ?? answer.id).toBe(answer.id);
          real.ids[n] = answer.id!;
        }
        expect([step, await real.state()]).toEqual([step, stateOf(model)]);
      }
    }),
    { seed, numRuns: 6 * factor },
  );
});
