/** Fills the database with the demonstration of real size: the same records at each start, in seconds. */
import type { Context, EntityManager } from '../src/context.js';
import { execute } from '../src/services/execute.js';
import { change } from '../src/services/records/change.js';
import { systemCaller } from '../src/services/tokens/caller.js';

/** Numbers of records, including the seven people, eight applications, ten access scopes and five profiles of the small demonstration. */
export const largeSize = { applications: 5_208, accessScopes: 204, profiles: 77, people: 50_007 };

const words = (text: string): string[] => text.trim().split(/\s+/);

const firstNames = words(`
  Aaron Abdul Ada Adrian Agnès Aisha Alba Alejandro Amara Anders Anna Antonio Astrid Ayşe Beatriz Benedikt Björn Bogdan
  Camille Carlos Chiara Chloë Clara Daria Davide Dmitri Elena Elif Emil Erik Eszter Fatima Felix Fiona François Freya
  Gabriel Giulia Greta Gustav Hana Hans Hélène Hugo Ida Ingrid Irina Isabel Ivan Jakub Jana João Johanna Jonas Julia Karim
  Katarzyna Kwame Lars Laura Leila Léa Linus Lukas Magda Maja Marek María Mats Mehmet Milan Mira Nadia Nils Nora Oluwaseun
  Oskar Paolo Pavel Petra Priya Quentin Rajesh Rosa Ruben Samir Sanne Selma Sven Tomasz Tove Ulrike Vera Viktor Wanjiru
  Xavier Yara Yusuf Zoë Zygmunt`);
const lastNames = words(`
  Abebe Almeida Andersson Bauer Becker Bianchi Ceylan Çelik Costa Dimitrov Dubois Eriksson Fernández Fischer Fontaine García
  Haddad Hansen Hoffmann Horváth Ivanova Jansen Jensen Kaya Keller Kovács Kowalski Kumar Lefèvre Lindqvist López Marković
  Martin Mensah Meyer Moreau Nagy Nielsen Novák Okafor Oliveira Papadopoulos Petrov Popescu Ricci Rossi Santos Schmidt
  Schneider Silva Sørensen Suzuki Takács Tanaka Varga Virtanen Wagner Weber Yılmaz`);
const departments = [
  ...['Finance', 'Procurement', 'Legal', 'Customer service', 'IT', 'Grid', 'Operations', 'Field service'],
  ...['Human resources', 'Safety', 'Planning', 'Laboratory'],
];
/** The department of each of a hundred people. */
const departmentOfHundred = [8, 5, 4, 17, 9, 14, 16, 20, 3, 2, 1, 1].flatMap((size, index) =>
  Array.from({ length: size }, () => departments[index]!),
);
const levels = ['operator', 'auditor', 'trainee', 'lead', 'engineer', 'clerk'];
const regions = [
  ...['Airport', 'Alpine Foothills', 'Capital', 'Eastern Plains'],
  ...['Greater metropolitan area incl. outlying districts', 'Harbour', 'Highlands', 'Inner City', 'Lake District'],
  ...[
    'Mining Belt',
    'North-western Coast',
    'Northern Suburbs',
    'Old Town',
    'Port Authority',
    'River Delta',
    'Salt Flats',
  ],
];
const types = ['region', 'plant', 'cost-centre', 'project', 'dashboard', 'vendor'];
const scopesOfTypes = [100, 30, 24, 20, 12, 8];

const müllers = 2_325;
const people = 50_000;

/** The number of a person by name. 2,325 people are called Müller; eight or nine share any other name. */
const numberOf = (firstName: string, lastName: string, nth: number): number =>
  müllers + 1 + lastNames.indexOf(lastName) + lastNames.length * (firstNames.indexOf(firstName) + 100 * nth);

/** Three people who get the name Chloë instead, so that there are eleven Chloë Bauer, but eight Anna Abebe. */
const moreChloës = [0, 1, 2].map((nth) => numberOf('Zygmunt', 'Bauer', nth));

const guid = (kind: number, number: number | string) =>
  `de${kind}0000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const userGuid = (number: number): string => guid(40, number);
/** The guid of an application by its place: places 0 to 991 are the planners. */
const applicationGuid = (place: number): string => guid(43, place + 1);
/** SQL of such a guid. */
const guidSql = (kind: number, number: string): string =>
  `('${guid(kind, 0).slice(0, 24)}' || lpad((${number})::text, 12, '0'))::uuid`;

/** Records that are difficult cases, for tests and measurements. */
export const largeRecords = {
  /** Holds 41 profiles. */
  holderOfMany: userGuid(numberOf('Nadia', 'Horváth', 3)),
  /** A scope for 992 applications called planner: 2,241 people would gain them. 17 of them are already open, nine are inactive. */
  project020: guid(42, 174),
  planners: Array.from({ length: 992 }, (_, place) => applicationGuid(place)),
  alreadyOpen: Array.from({ length: 17 }, (_, index) => applicationGuid(9 + index)),
  outOfUse: Array.from({ length: 9 }, (_, place) => applicationGuid(place)),
  /** 902 people hold this profile. 1,377 hold the clerk's profile, 211 of them both. */
  lead: 'field-service-lead',
  clerk: 'field-service-clerk-48',
  /** 1,328 people hold it, and five who are blocked. */
  trainee: 'legal-trainee-15',
  /** Has 57 access scopes: each opens Launchpad, none Tariff Forecast 2027. */
  auditor: 'it-auditor-26',
  launchpad: applicationGuid(1_000),
  tariffForecast: applicationGuid(1_001),
  /** The role of 24,411 links. */
  role: 'member',
  kwame: userGuid(numberOf('Kwame', 'Çelik', 0)),
  anna: userGuid(numberOf('Anna', 'Abebe', 3)),
};

/** Fills a database that has the small demonstration. */
export async function fillLarge(context: Context): Promise<void> {
  await changeAs(context, context.config.systemUserGuid, 'Import of the large demonstration', async (run) => {
    await fillPeople(run);
    await fillCatalogue(run);
    await fillLinks(run);
  });
  const clara = userGuid(numberOf('Clara', 'Weber', 0));
  await changeAs(context, clara, 'Move to the new plant', (run) =>
    run(`insert into access_scope_applications_mappers (application_id, access_scope_id, created_by)
      select application_id, access_scope_id, '${clara}' from ${applicationsByPlace} join access_scopes s on s.access_scope_guid = '${guid(42, 110)}'
      where place between 2000 and 2382 order by place`),
  );
  const ingrid = userGuid(numberOf('Ingrid', 'Kowalski', 0));
  await changeAs(context, ingrid, 'Left the company', (run) =>
    run(`update users set is_blocked = true where user_guid = '${largeRecords.kwame}'`),
  );
  await context.sql.rows(signInsOfTwoDays);
  await context.sql.rows('analyze');
}

/** Fewer by night; and on one morning a client had a wrong secret. */
const signInsOfTwoDays = `insert into sign_in_hours (hour, sign_ins, refusals)
  select hour, (240 + 220 * sin((hour % 24 - 8) * pi() / 12))::bigint, case when ago between 26 and 28 then 130 else ago * 7 % 12 end
  from generate_series(1, 47) ago cross join lateral (select floor(extract(epoch from now()) / 3600)::bigint - ago as hour) counted
  on conflict do nothing`;

type Run = (text: string, values?: readonly unknown[]) => Promise<unknown>;

const changeAs = (context: Context, actor: string, note: string, work: (run: Run) => Promise<unknown>): Promise<void> =>
  change(
    { ...context, caller: systemCaller(actor) },
    'admin:write',
    async (em: EntityManager) => {
      await work((text, values = []) => execute(em, text, values));
    },
    { note },
  );

const system = "'00000000-0000-0000-0000-000000000001'::uuid";
const ours = (kind: number, table: string, key: string, alias: string): string =>
  `(select t.*, right(${key}::text, 12)::int - 1 as place from ${table} t where ${key}::text like 'de${kind}0000-%') ${alias}`;
const applicationsByPlace = ours(43, 'applications', 'application_guid', 'a');

/** SQL: a text without accents, in lower case, with hyphens in place of blanks. */
const plain = (text: string): string =>
  `translate(lower(${text}), ' áãäåçèéëíïłñńóôöøöúüşıõčćžý', '-aaaaceeeiilnnooooouusioccz')`;

/** Inserts the rows of a select in parts, in its order: a statement must answer in seconds, on a machine that is busy too. */
async function insertInParts(
  run: Run,
  table: string,
  columns: string,
  select: string,
  values: readonly unknown[] = [],
) {
  await run(
    `create temporary table large_rows on commit drop as
     select row_number() over () as place, t.* from (${select}) t (${columns})`,
    values,
  );
  for (let place = 0; place < largeSize.people + 10_000; place += partSize)
    await run(
      `insert into ${table} (${columns}) select ${columns} from large_rows where place > ${place} and place <= ${place + partSize} order by place`,
    );
  await run('drop table large_rows');
}
const partSize = 5_000;

async function fillPeople(run: Run): Promise<void> {
  await insertInParts(
    run,
    'users',
    `user_guid, first_name, last_name, email, idpname, idpid, job_title, department, language_preference,
      is_blocked, last_login_date, created_by, created_date`,
    `with named as (
      select p, case when p = any($4::int[]) then 'Chloë' when p <= ${müllers} then ($1::text[])[1 + p % 100]
          else ($1::text[])[1 + (p - ${müllers + 1}) / ${lastNames.length} % 100] end as first_name,
        case when p <= ${müllers} then 'Müller' else ($2::text[])[1 + (p - ${müllers + 1}) % ${lastNames.length}] end as last_name,
        (($3::text[])[1 + (p * 31 + p / 59) % 100]) as department
      from generate_series(1, ${people}) p
    ), numbered as (
      select *, row_number() over (partition by first_name, last_name order by p) as nth,
        ${plain("first_name || '.' || last_name")} as mailbox from named
    )
    select ${guidSql(40, 'p')}, first_name, last_name,
      mailbox || case when nth = 1 then '' else nth::text end || case when p % 41 = 0 then '@contractor.example' else '@northgrid.example' end,
      'development', 'u' || p, initcap(($6::text[])[1 + p / 7 % 6]), case when p % 97 = 0 then null when p % 4001 = 0 then 'Works council' else department end,
      (array['en', 'de', 'pt'])[1 + p % 3], p % 83 = 0 and p <> all($5::int[]),
      case when p % 10 < 2 then null else date_trunc('hour', now()) - make_interval(hours => (p * 37 % 400) * (p * 37 % 400) / 10) end,
      ${system}, now() - make_interval(days => 100 + p % 900)
    from numbered order by p * 7919::bigint % ${people}`,
    [firstNames, lastNames, departmentOfHundred, moreChloës, [numberOf('Nadia', 'Horváth', 3)], levels],
  );
}

async function fillCatalogue(run: Run): Promise<void> {
  await run(
    `insert into access_scope_types (access_scope_type_guid, name, created_by)
     select ${guidSql(41, 't')}, name, ${system} from unnest($1::text[]) with ordinality types(name, t) order by t`,
    [types],
  );
  await run(
    `insert into access_scopes (access_scope_guid, name, access_scope_key, access_scope_type_id, is_active, created_by)
     select ${guidSql(42, 'row_number() over (order by t, k)')}, label, ${plain('label')}, access_scope_type_id, not (t = 1 and k >= 99), ${system}
     from unnest($1::text[], $2::int[]) with ordinality types(type, size, t)
     join access_scope_types on access_scope_types.name = type
     cross join lateral generate_series(1, size) k
     cross join lateral (select case when t = 1 then coalesce(($3::text[])[k], 'District ' || lpad(k::text, 3, '0'))
       else initcap(split_part(type, '-', 1)) || coalesce(' ' || nullif(split_part(type, '-', 2), ''), '') || ' ' || lpad(k::text, 3, '0') end) labels(label)
     order by t, k`,
    [types, scopesOfTypes, regions],
  );
  await run(
    `insert into applications (application_guid, name, description, icon_default, icon_hover, app_type, rendering_mode, link_type,
      global_external_link, translation_group, is_active, managed_by, created_by)
     select ${guidSql(43, 'x + 1')}, name, 'For ' || lower(($3::text[])[1 + x % 12]), 'icons/' || lower(subject) || '.svg', 'icons/' || lower(subject) || '.svg',
       (array['web', 'web', 'web', 'mobile', 'web-embedded', 'report', 'desktop'])[1 + x / 13 % 7],
       (array['page', 'page', 'page', 'iframe', 'tab'])[1 + x % 5], (array['internal', 'internal', 'external'])[1 + x % 3],
       case when x % 3 = 2 then 'https://' || ${plain('name')} || '.northgrid.example' end, case when x % 2 = 0 then 'large-' || x end,
       not (x < 9 or (x > 1100 and x % 37 = 0)), case when x in (30, 31, 32) or (x > 1100 and x % 50 = 7) then 'platform-catalogue' end, ${system}
     from (select n * 7919 % 5200 as x, n from generate_series(1, 5200) n) places
     cross join lateral (select ($1::text[])[1 + n % 20] as subject) subjects
     cross join lateral (select case x when 1000 then 'Launchpad' when 1001 then 'Tariff Forecast 2027' when 1002 then 'Vendor Portal 2.0'
       when 1003 then 'Crew Scheduler for Harbour' when 1004 then 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft: Überwachung der Außenstellen'
       else subject || ' ' || case when x < 992 then 'Planner' else ($2::text[])[1 + n / 20 % 12] end || ' ' || lpad(n::text, 4, '0') end as name) names
     order by n`,
    [
      words(
        'Asset Crew Vendor Tariff Meter Outage Depot Tram Cable Station Budget Contract Permit Safety Invoice Fleet Storage Water Heat Metro',
      ),
      words('Ledger Scheduler Portal Forecast Board Monitor Register Report Archive Tracker Survey Calculator'),
      departments,
    ],
  );
  await run(
    `insert into translations (translation_group, field_name, language_code, translated_text)
     select translation_group, 'name', language, name || ' (' || language || ')' from ${applicationsByPlace}
     cross join unnest(array['de', 'en', 'pt']) language
     where translation_group is not null and (language <> 'pt' or place % 4 = 0) order by place, language`,
  );
  await fillMappings(run);
}

const scopesByPlace = ours(42, 'access_scopes', 'access_scope_guid', 's');

/** Each scope opens some random applications. The mappings of the planners are separate. */
async function fillMappings(run: Run): Promise<void> {
  await insertInParts(
    run,
    'access_scope_applications_mappers',
    'application_id, access_scope_id, state, individual_external_link, created_by',
    `with a as materialized (select application_id, place from ${applicationsByPlace}),
       s as materialized (select access_scope_id, place from ${scopesByPlace})
     select application_id, access_scope_id, case when a.place between 9 and 25 then 'active' when a.place = 1001 then 'planned'
         when (s.place + a.place) % 17 = 0 then 'planned' when (s.place + a.place) % 29 = 0 then 'inactive' else 'active' end,
       case when (s.place + a.place) % 11 = 0 then 'https://apps.northgrid.example/' || s.place || '/' || a.place end, ${system}
     from a cross join s
     cross join lateral (select case when s.place < 100 then case s.place when 5 then 611 else 150 + s.place * 53 % 300 end
       when s.place = 109 then 0 when s.place < 130 then 120 + s.place * 31 % 200 when s.place < 154 then 200 when s.place < 174 then 60 else 90 end) sizes(size)
     where case when a.place = 1000 then s.place < 100 when a.place = 1001 then s.place < 14
       when a.place < 992 and s.place in (0, 130, 173) then s.place = 0 and a.place between 9 and 25
       else (s.place * 7919 + a.place * 104729 + s.place * a.place * 613) % 5197 < size end
     order by s.place, a.place`,
  );
  await run(
    `insert into access_scope_type_applications_mappers (application_id, access_scope_type_id, created_by)
     select application_id, access_scope_type_id, ${system} from ${applicationsByPlace}
     join unnest($1::text[], array[12, 20, 6, 6, 60, 40]) with ordinality types(type, size, t)
       on place > 1100 and (place * 7919 + t * 1009) % 4099 < size
     join access_scope_types on access_scope_types.name = type order by t, place`,
    [types],
  );
}

/** Profiles of departments and levels, and who holds them in which role. */
async function fillLinks(run: Run): Promise<void> {
  await run(
    `insert into roles (role_id, name, created_by) select lower(name), name, ${system}
     from unnest(array['Member', 'Deputy', 'Expert', 'Coordinator', 'Guest']) name`,
  );
  await run(
    `insert into profiles (profile_id, name, managed_by, created_by)
     select ${plain('name')}, name, case when i % 24 = 0 and i <> 48 then 'platform-catalogue' end, ${system}
     from generate_series(0, 71) z cross join lateral (select z + 1 as i, ($2::text[])[1 + z % 6] as level) numbers
     cross join lateral (select ($1::text[])[1 + z / 6] || ' ' || level || case when level = 'lead' then '' else ' ' || i end as name) names
     order by i`,
    [departments, levels],
  );
  // the profiles in the order in which they were made
  await run(
    `create temporary table large_profiles on commit drop as
     select profile_id, ($1::text[])[1 + z / 6] as department, z + 1 as i from generate_series(0, 71) z
     join profiles on name = ($1::text[])[1 + z / 6] || ' ' || ($2::text[])[1 + z % 6] || case when ($2::text[])[1 + z % 6] = 'lead' then '' else ' ' || z + 1 end`,
    [departments, levels],
  );
  await run(
    `insert into profile_access_scopes (profile_id, access_scope_id, created_by)
     select profile_id, access_scope_id, ${system} from large_profiles cross join ${scopesByPlace}
     where case i when 15 then place in (0, 130, 173) when 26 then place between 40 and 96 when 46 then place in (1, 2, 3, 100, 101, 102)
       when 48 then place in (2, 3, 5, 100, 101)
       else (place <> 173 and (i * 37 + place * 61 + i * place * 13) % 191 < 4 + i % 7) or (i = 31 and place in (0, 173)) end
     order by i, place`,
  );
  const many = `'${largeRecords.holderOfMany}'`;
  await insertInParts(
    run,
    'user_profiles',
    'user_id, profile_id, role_id, managed_by, created_by, created_date',
    `with numbered as (
       select *, right(user_guid::text, 12)::int as p,
         row_number() over (partition by department, is_blocked order by right(user_guid::text, 12)::int * 7919::bigint % ${people}) as r
       from users where user_guid::text like 'de400000-%' and user_guid <> ${many}
     ), links as (
       select user_id, p, profile_id from numbered u join large_profiles f on f.department = u.department and (f.i - 1) % 6 = p / 7 % 6
         where p % 9 <> 0 and i not in (15, 31, 46, 48)
       union select user_id, p, profile_id from numbered u join large_profiles f on f.department = u.department and (f.i - 1) % 6 = p / 5 % 6
         where p % 4 = 0 and i not in (15, 31, 46, 48)
       union select user_id, p, profile_id from numbered join large_profiles f on i = 1 + p * 29 % 72
         where p % 31 = 0 and i not in (15, 31, 46, 48)
       union select user_id, p, profile_id from numbered u join large_profiles f on
         (u.department = 'Legal' and i = 15 and (r <= 1328 and not is_blocked or r <= 5 and is_blocked))
         or (u.department = 'Grid' and i = 31 and r <= 913 and not is_blocked)
         or (u.department = 'Field service' and not is_blocked and (i = 46 and r <= 902 or i = 48 and r between 692 and 2068))
       union select user_id, 1, profile_id from users, large_profiles where user_guid = ${many} and i <= 44 and i not in (15, 31, 43)
     )
     select user_id, profile_id, case when row_number() over (order by p * 7919::bigint % ${people}, p, profile_id collate "C") <= 24411 then 'member'
         else (array['deputy', 'expert', 'coordinator', 'guest'])[1 + p % 4] end,
       case when p % 60 = 0 then 'platform-catalogue' end, ${system}, now() - make_interval(days => p % 700)
     from links order by user_id, profile_id`,
  );
  await run(
    `insert into tokens (user_id, profile_id, token, created_at, started_at, expires_at, client_id)
     select user_guid, profile_id, sha256(convert_to('large ' || user_id, 'UTF8')), now() - make_interval(hours => user_id % 200),
       now() - make_interval(hours => user_id % 500 + 200), now() + interval '30 days', 'demo-client'
     from (select distinct on (user_id) user_id, user_guid, profile_id from users join user_profiles using (user_id)
       where user_guid::text like 'de400000-%' and not is_blocked and user_id % 8 = 0 order by user_id, user_profile_id) holders`,
  );
  await run(
    `insert into clients (client_id, client_secret, name, previous_secret, previous_secret_ends_at, previous_secret_last_used_at)
     select 'client-' || n, client_secret, 'Program ' || n, case when n <= 2 then client_secret end, case when n <= 2 then now() + interval '3 days' end,
       case when n = 1 then date_trunc('minute', now()) end
     from clients, generate_series(1, 11) n where client_id = 'demo-client'`,
  );
}
