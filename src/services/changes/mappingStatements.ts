/**
 * Mappings by application and target, locked, removed, changed and made, each with one statement however many there are. The
 * entity manager would take seconds for a thousand.
 */
import type { EntityManager } from '../../context.js';
import { describe } from '../../entities/description.js';
import type { MappingKind } from '../catalogue/mappings.js';
import { journalOf } from '../records/transaction.js';
import { execute } from '../sql/execute.js';

/** A cell as it is now. */
export interface LockedCell {
  application: number | null;
  target: number | null;
  mapping: number | null;
  state: string | null;
  link: string | null;
}

/**
 * Gives the cells in their order. The applications are locked as by a bulk, in one order everywhere, the targets against
 * being removed, and the mappings against whoever knows no such order.
 */
export async function lockCells(
  em: EntityManager,
  kind: MappingKind,
  guids: readonly string[],
  targets: readonly string[],
): Promise<LockedCell[]> {
  const { table, primaryKey, fields } = describe(kind.target);
  const guidColumn = fields.find(({ name }) => name === kind.guid)!.column;
  const mapper = describe(kind.mapper);
  await execute(
    em,
    'select 1 from applications where application_guid = any($1::uuid[]) order by application_id for no key update',
    [guids],
  );
  await execute(
    em,
    `select 1 from ${table} where ${guidColumn} = any($1::uuid[]) order by ${primaryKey.column} for key share`,
    [targets],
  );
  return execute<LockedCell>(
    em,
    `with present as materialized (
       select m.* from ${mapper.table} m where (m.application_id, m.${primaryKey.column}) in (
         select a.application_id, t.${primaryKey.column} from unnest($1::uuid[], $2::uuid[]) asked(application_guid, target_guid)
         join applications a on a.application_guid = asked.application_guid join ${table} t on t.${guidColumn} = asked.target_guid)
       order by m.${mapper.primaryKey.column} for no key update of m)
     select a.application_id as application, t.${primaryKey.column} as target,
       present.${mapper.primaryKey.column} as mapping, present.state, ${hasLink(kind) ? 'present.individual_external_link' : 'null'} as link
     from unnest($1::uuid[], $2::uuid[]) with ordinality asked(application_guid, target_guid, ord)
     left join applications a on a.application_guid = asked.application_guid
     left join ${table} t on t.${guidColumn} = asked.target_guid
     left join present on present.application_id = a.application_id and present.${primaryKey.column} = t.${primaryKey.column}
     order by asked.ord`,
    [guids, targets],
  );
}

const hasLink = ({ mapper }: MappingKind): boolean =>
  describe(mapper).fields.some(({ name }) => name === 'individualExternalLink');

/** The same, with what is wanted there; null is no mapping. */
interface WantedCell extends LockedCell {
  to: string | null;
  newLink: string | null;
}

export async function removeMappings(
  em: EntityManager,
  kind: MappingKind,
  wanted: readonly WantedCell[],
): Promise<void> {
  const gone = wanted.flatMap(({ mapping, to }) => (mapping !== null && to === null ? mapping : []));
  if (gone.length === 0) return;
  const { table, primaryKey, name } = describe(kind.mapper);
  await execute(em, `delete from ${table} where ${primaryKey.column} = any($1::int[])`, [gone]);
  for (const mapping of gone)
    journalOf(em).entries.push({ action: 'delete', subjectType: name, subjectId: String(mapping) });
}

export async function changeMappings(
  em: EntityManager,
  kind: MappingKind,
  wanted: readonly WantedCell[],
): Promise<void> {
  const changed = wanted.flatMap((cell) => {
    const fields = [
      ...(cell.state === cell.to ? [] : ['state']),
      ...(cell.link === cell.newLink ? [] : ['individualExternalLink']),
    ];
    return cell.mapping === null || cell.to === null || fields.length === 0 ? [] : [{ ...cell, fields }];
  });
  if (changed.length === 0) return;
  const { table, primaryKey, name } = describe(kind.mapper);
  const { actor, now, entries } = journalOf(em);
  await execute(
    em,
    `update ${table} m set state = wanted.state${hasLink(kind) ? ', individual_external_link = wanted.link' : ''},
       revision = m.revision + 1, modified_date = $4, modified_by = $5
     from unnest($1::int[], $2::text[], $3::text[]) wanted(mapping, state, link)
     where m.${primaryKey.column} = wanted.mapping`,
    [
      changed.map(({ mapping }) => mapping),
      changed.map(({ to }) => to),
      changed.map(({ newLink }) => newLink),
      now,
      actor,
    ],
  );
  for (const { mapping, fields } of changed)
    entries.push({ action: 'update', subjectType: name, subjectId: String(mapping), detail: { fields } });
}

export async function makeMappings(em: EntityManager, kind: MappingKind, wanted: readonly WantedCell[]): Promise<void> {
  const made = wanted.filter(({ mapping, to }) => mapping === null && to !== null);
  if (made.length === 0) return;
  const { table, primaryKey, name } = describe(kind.mapper);
  const target = describe(kind.target).primaryKey.column;
  const { actor, now, entries } = journalOf(em);
  const [linkColumn, link] = hasLink(kind) ? [', individual_external_link', ', link'] : ['', ''];
  const rows = await execute<{ mapping: number }>(
    em,
    `insert into ${table} (application_id, ${target}, state${linkColumn}, created_date, created_by)
     select application, target, state${link}, $5, $6
     from unnest($1::int[], $2::int[], $3::text[], $4::text[]) with ordinality wanted(application, target, state, link, ord)
     order by ord returning ${primaryKey.column} as mapping`,
    [
      made.map(({ application }) => application),
      made.map(({ target: key }) => key),
      made.map(({ to }) => to),
      made.map(({ newLink }) => newLink),
      now,
      actor,
    ],
  );
  for (const { mapping } of rows) entries.push({ action: 'create', subjectType: name, subjectId: String(mapping) });
}
