/** The lists of the console, with the file in console/src that shows each, and what makes it longer than its part. */

export const gridMonitor = 'de330000-0000-4000-8000-000000000001';
export const bruno = 'de300000-0000-4000-8000-000000000002';
export const harbour = 'de320000-0000-4000-8000-000000000003';
export const site = 'de310000-0000-4000-8000-000000000001';
export const system = '00000000-0000-0000-0000-000000000001';
export const zoneReview = 'de340000-0000-4000-8000-000000000001';

interface GridRow {
  name: string;
  file: string;
  path: string;
  /** What the last row says. */
  last: string;
  /** What finds it. */
  words?: string;
}

/** Filled by wholeLists.long.test.ts. */
export const grids: readonly GridRow[] = [
  { name: 'applications', file: 'pages/Applications', path: '/applications', last: 'Zone 0160' },
  { name: 'users', file: 'pages/Users', path: '/users', last: 'Zora Zone 0160' },
  { name: 'profiles', file: 'pages/Profiles', path: '/profiles', last: 'Zone 0160' },
  { name: 'access scopes', file: 'pages/Scopes', path: '/scopes', last: 'Zone 0160' },
  {
    name: 'people with a profile',
    file: 'record/Holders',
    path: '/profiles/grid-operator?tab=holders',
    last: 'Zora Zone 0160',
  },
  { name: 'people with a role', file: 'record/Holders', path: '/roles/operator', last: 'Zora Zone 0160' },
  { name: 'applications of an access scope', file: 'record/Opens', path: `/scopes/${harbour}`, last: 'Zone 0160' },
  {
    name: 'profiles with an access scope',
    file: 'pages/Scope',
    path: `/scopes/${harbour}?tab=profiles`,
    last: 'Zone 0160',
  },
  { name: 'applications of a type', file: 'record/Opens', path: `/types/${site}`, last: 'Zone 0160' },
  {
    name: 'what opens an application',
    file: 'pages/application/OpenedBy',
    path: `/applications/${gridMonitor}`,
    last: 'Zone 0160',
  },
  { name: 'clients', file: 'pages/Clients', path: '/clients', last: 'Zone 0160' },
  { name: 'connectors', file: 'pages/Connectors', path: '/connectors', last: 'zone-0160' },
  { name: 'roles', file: 'pages/Roles', path: '/roles', last: 'Zone 0160' },
  { name: 'types', file: 'pages/Types', path: '/types', last: 'zone0160' },
  { name: 'usage', file: 'pages/Usage', path: '/usage', last: 'GET /zone-0160' },
  {
    name: 'access scopes of a profile',
    file: 'pages/profile/ScopesOf',
    path: '/profiles/grid-operator?tab=scopes',
    last: 'Zone 0160',
  },
  {
    name: 'applications that a profile opens',
    file: 'pages/profile/Opened',
    path: '/profiles/zone-7',
    last: 'Zone 0160',
  },
  { name: 'profiles that end soon', file: 'record/Holders', path: '/ending', last: 'Zora Zone 0160' },
  { name: 'profiles that nobody used', file: 'record/Holders', path: '/ending?view=unused', last: 'Zora Zone 0160' },
  {
    name: 'grants of an access review',
    file: 'pages/Review',
    path: `/reviews/${zoneReview}?view=all`,
    last: 'Zora Zone 0160',
    words: 'zora160@ grid',
  },
];

/** Grids that a test of their own walks. */
export const gridsWalkedElsewhere = [
  // in columns, too: wholeLists.long.test.ts
  'pages/Matrix',
  // the drafts of a review, which are all in the browser: wholeLists.long.test.ts shows 160 of them
  'review/DraftRows',
];

interface PartRow {
  name: string;
  file: string;
  path: string;
  /** Statements that make its rows, beside `yardSeed`. */
  seed?: string[];
  /** Names of buttons that lead to it. */
  press?: RegExp[];
  /** CSS: what holds the rows, and the number with the way to the others. */
  holder: string;
  /** CSS: a row in that. */
  row: string;
  total: number;
}

// people, profiles, applications and access scopes named Yard 0001 and so on: `yardSeed` makes them
const person = (n: number) => `de350000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const scopeOf = (n: string) => `(select access_scope_id from access_scopes where access_scope_key = 'yard-' || ${n})`;
const series = (from: number, to: number) => `generate_series(${from}, ${to}) n`;
const numbered = "'Yard ' || lpad(n::text, 4, '0')";
const yardReview = 'de340000-0000-4000-8000-000000000002';
const yardApplication = 'de330000-0000-4000-8000-0000000000ff';

/** 240 people, of whom each holds one of 60 profiles that open nothing; and 90 access scopes, each of which opens one application. */
export const yardSeed = [
  `insert into users (user_guid, first_name, last_name, email, created_by)
   select ('de350000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Yara', ${numbered}, 'yara' || n || '@grid.example', '${system}'::uuid
     from ${series(1, 240)}`,
  `insert into profiles (profile_id, name, owner_profile_id, created_by)
   select 'yard-' || n, ${numbered}, 'yard-' || n, '${system}'::uuid from ${series(1, 60)}`,
  `insert into user_profiles (user_id, profile_id, role_id, created_by)
   select user_id, 'yard-' || (substr(last_name, 6)::int % 60 + 1), 'operator', '${system}'::uuid from users where first_name = 'Yara'`,
  // a type that opens nothing by itself
  `insert into access_scope_types (name, created_by) values ('yard', '${system}'::uuid)`,
  `insert into access_scopes (access_scope_type_id, name, access_scope_key, created_by)
   select (select access_scope_type_id from access_scope_types where name = 'yard'), ${numbered}, 'yard-' || n, '${system}'::uuid
     from ${series(1, 90)}`,
  `insert into applications (name, icon_default, icon_hover, app_type, rendering_mode, link_type, created_by)
   select ${numbered}, 'a', 'b', 'web', 'tab', 'external', '${system}'::uuid from ${series(1, 90)}`,
  `insert into access_scope_applications_mappers (access_scope_id, application_id, state, created_by)
   select access_scope_id, application_id, 'active', '${system}'::uuid from access_scopes s join applications a on a.name = s.name
     where s.access_scope_key like 'yard-%'`,
  // of one the first 60 access scopes and of the other the last 60; 29 people hold only the one, 30 both, 29 only the other
  `insert into profiles (profile_id, name, created_by) values ('left', 'Left', '${system}'::uuid), ('right', 'Right', '${system}'::uuid)`,
  `insert into profile_access_scopes (profile_id, access_scope_id, created_by)
   select 'left', ${scopeOf('n')}, '${system}'::uuid from ${series(1, 60)} union all
   select 'right', ${scopeOf('n')}, '${system}'::uuid from ${series(31, 90)}`,
  `insert into user_profiles (user_id, profile_id, role_id, created_by)
   select user_id, 'left', 'operator', '${system}'::uuid from users where first_name = 'Yara' and last_name between 'Yard 0002' and 'Yard 0060' union all
   select user_id, 'right', 'operator', '${system}'::uuid from users where first_name = 'Yara' and last_name between 'Yard 0031' and 'Yard 0089'`,
  // two more people: 30 profiles that one holds, 30 of both, and 30 of the other, with these two; and a third with all 60 of Yard
  `insert into users (user_guid, first_name, last_name, email, created_by)
   select ('de350000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Bay', n, 'bay' || n || '@grid.example', '${system}'::uuid
     from ${series(301, 303)}`,
  `insert into profiles (profile_id, name, created_by) select 'bay-' || n, 'Bay ' || n, '${system}'::uuid from ${series(1, 88)}`,
  `insert into user_profiles (user_id, profile_id, role_id, created_by)
   select user_id, profile_id, 'operator', '${system}'::uuid from users,
     (select '301' as who, 'bay-' || n as profile_id from ${series(1, 59)} union all select '301', 'left' union all
      select '302', 'bay-' || n from ${series(30, 88)} union all select '302', 'right' union all
      select '303', 'yard-' || n from ${series(1, 60)}) held
     where first_name = 'Bay' and last_name = who`,
];

const change = "select change_set_id from change_sets where note like 'Yard%'";
const changeSeed = [
  `insert into change_sets (actor, face, note) select '${person(1)}'::uuid, 'console', ${numbered} from ${series(1, 70)}
     where not exists (${change})`,
];
const reviewSeed = [
  `insert into reviews (review_guid, name, undecided, due_at, filter, total, started_by)
   values ('${yardReview}', 'Yard', 'KEEP', now() + interval '9 days', '{}', 240, '${bruno}'::uuid) on conflict do nothing`,
  `insert into review_items (review_id, kind, link_id, link_revision, user_guid, user_name, user_email, profile_id, profile_name,
     role_id, granted_by, granted_at, opens, is_unusual, owner_profile_id, decision)
   select review_id, 'USER_PROFILE', user_profile_id, held.revision, user_guid, 'Yara ' || last_name, email, p.profile_id, p.name,
       role_id, '${system}'::uuid, now(), 0, false, owner_profile_id, 'END'
     from reviews, user_profiles held join users using (user_id) join profiles p using (profile_id)
     where review_guid = '${yardReview}' and p.profile_id like 'yard-%' and first_name = 'Yara'
       and not exists (select from review_items) `,
];

/** The three columns of a comparison, for each of its views. */
const compared = (
  address: string,
  names: [left: string, right: string],
  views: [view: string, label: string][],
): PartRow[] =>
  views.flatMap(([view, label]) =>
    [`Only ${names[0]}`, 'Both', `Only ${names[1]}`].map((side) => ({
      name: `${label} of two, ${side}`,
      file: 'pages/compare/Comparison',
      path: `${address}&view=${view}`,
      holder: `section[aria-label^="${label}: ${side}"]`,
      row: '> ul > li',
      total: 30,
    })),
  );

const proposalColumns = 'title, proposed_by, note, changes, permission, expires_at, effect_hash, proposed_counts';
const proposed = (state: string, words: string) =>
  `insert into proposals (${proposalColumns}, state, apply_at)
   select '${words} ' || n, proposed_by, note, changes, permission, expires_at, effect_hash, proposed_counts, '${state}', now() + interval '5 days'
     from (select * from proposals order by proposal_id limit 1) first, ${series(1, 70)}
     where not exists (select from proposals where title like '${words}%')`;
export const proposalSeed = [proposed('OPEN', 'Open'), proposed('SCHEDULED', 'Planned')];
export const reviewsSeed = [
  `insert into reviews (name, undecided, due_at, filter, total, started_by)
   select ${numbered}, 'KEEP', now() + interval '9 days', '{}', 0, '${bruno}'::uuid from ${series(1, 70)}
     where not exists (select from reviews where name = 'Yard 0001')`,
];
/** Who loses a profile of Yard loses an entry that no other profile has. */
const yardEntries = [
  `insert into access_scopes (access_scope_type_id, name, access_scope_key, created_by)
   select (select access_scope_type_id from access_scope_types where name = 'yard'), 'Only ' || n, 'only-' || n, '${system}'::uuid
     from ${series(1, 60)} where not exists (select from access_scopes where access_scope_key = 'only-1')`,
  `insert into profile_access_scopes (profile_id, access_scope_id, created_by)
   select 'yard-' || n, (select access_scope_id from access_scopes where access_scope_key = 'only-' || n), '${system}'::uuid
     from ${series(1, 60)} on conflict do nothing`,
];
const finish = { path: `/reviews/${yardReview}?view=all`, seed: [...reviewSeed, ...yardEntries], press: [/^Finish…$/] };

export const partLists: readonly PartRow[] = [
  {
    name: 'texts of a record',
    file: 'record/Texts',
    path: `/applications/${gridMonitor}?tab=texts`,
    seed: [
      `update applications set translation_group = 'many' where application_guid = '${gridMonitor}'`,
      `insert into translations (translation_group, field_name, language_code, translated_text)
       select 'many', field, 'x' || lpad(n::text, 3, '0'), field || ' ' || n
         from ${series(1, 130)}, unnest(array['description', 'name']) field`,
    ],
    holder: 'section[aria-label=Translations]',
    row: 'tbody tr',
    total: 260,
  },
  {
    name: 'history of a record',
    file: 'record/HistoryTab',
    path: '/roles/analyst?tab=history',
    seed: [
      ...changeSeed,
      `insert into record_versions (record_table, record_key, before, after, change_set_id)
       select 'roles', 'analyst', '{"role_id": "analyst", "name": "A"}', '{"role_id": "analyst", "name": "B"}', change_set_id
         from change_sets where note like 'Yard%'`,
    ],
    holder: 'section[aria-label=History]',
    row: '> ol > li > .entry-what > ul > li',
    // and its making
    total: 71,
  },
  {
    name: 'changes',
    file: 'pages/History',
    path: '/history?q=yard',
    seed: changeSeed,
    holder: 'section[aria-label=Changes]',
    row: '> ol > li',
    total: 70,
  },
  {
    name: 'sessions of a person',
    file: 'pages/user/Sessions',
    path: `/users/${person(3)}?tab=sessions`,
    seed: [
      `insert into tokens (profile_id, token, created_at, expires_at, user_id)
       select 'yard-4', decode(md5(n::text), 'hex'), now(), now() + interval '9 days', '${person(3)}'::uuid from ${series(1, 120)}`,
    ],
    holder: 'section[aria-labelledby=sessions]',
    row: '> ul > li',
    total: 120,
  },
  {
    name: 'profiles of a person',
    file: 'pages/user/HeldProfiles',
    path: `/users/${person(303)}`,
    holder: '[role=tabpanel]',
    row: '> .stack > section',
    total: 60,
  },
  {
    name: 'what a profile of a person opens',
    file: 'pages/user/HeldProfiles',
    path: `/users/${person(2)}`,
    holder: 'section[aria-label=Left]',
    row: '> .openings > li',
    total: 60,
  },
  {
    name: 'who reaches an application',
    file: 'pages/application/Reach',
    path: `/applications/${yardApplication}`,
    seed: [
      `insert into profile_access_scopes (profile_id, access_scope_id, created_by)
       select profile_id, ${scopeOf('90')}, '${system}'::uuid from profiles where profile_id like 'yard-%'`,
      `update applications set application_guid = '${yardApplication}' where name = 'Yard 0090'`,
    ],
    holder: 'section[aria-labelledby=reach]',
    row: '> ul > li',
    // and by the profile on the right
    total: 61,
  },
  ...compared(
    '/compare/profiles?left=left&right=right',
    ['Left', 'Right'],
    [
      ['scopes', 'Access scopes'],
      ['applications', 'Applications'],
      ['people', 'People'],
    ],
  ),
  ...compared(
    `/compare/users?left=${person(301)}&right=${person(302)}`,
    ['Bay 301', 'Bay 302'],
    [
      ['profiles', 'Profiles'],
      ['scopes', 'Access scopes'],
      ['applications', 'Applications'],
    ],
  ),
  {
    name: 'who holds both of two profiles without need',
    file: 'pages/CompareProfiles',
    path: '/compare/profiles?left=both-1&right=both-2',
    seed: [
      `insert into profiles (profile_id, name, created_by) select 'both-' || n, 'Both ' || n, '${system}'::uuid from ${series(1, 2)}`,
      `insert into profile_access_scopes (profile_id, access_scope_id, created_by)
       select 'both-' || n, ${scopeOf('1')}, '${system}'::uuid from ${series(1, 2)}`,
      `insert into user_profiles (user_id, profile_id, role_id, created_by)
       select user_id, 'both-' || n, 'operator', '${system}'::uuid from users, ${series(1, 2)} where first_name = 'Yara' and last_name <= 'Yard 0070'`,
    ],
    press: [/^Show$/],
    holder: 'section.redundant',
    row: '> ul > li',
    total: 70,
  },
  {
    name: 'proposals',
    file: 'pages/Inbox',
    path: '/inbox?view=open&q=open',
    seed: proposalSeed,
    holder: '.inbox-list',
    row: '> ul > li',
    total: 70,
  },
  {
    name: 'access reviews',
    file: 'pages/Reviews',
    path: '/reviews?q=yard+00',
    seed: reviewsSeed,
    holder: 'section[aria-label="Access reviews"]',
    row: '> ul > li',
    total: 70,
  },
  {
    name: 'owners of an access review',
    file: 'pages/review/Owners',
    path: `/reviews/${yardReview}?view=all`,
    seed: reviewSeed,
    press: [/^By owner…$/],
    holder: 'dialog .sheet-body',
    row: '> ul > li',
    total: 60,
  },
  {
    name: 'what an access review ends',
    file: 'pages/review/Finish',
    ...finish,
    holder: 'section[aria-label="What ends"]',
    row: '> ul > li',
    total: 240,
  },
  {
    name: 'profiles that people lose',
    file: 'review/Affected',
    ...finish,
    holder: 'section[aria-label="Who is affected"]',
    row: '> ul > li',
    total: 60,
  },
  {
    name: 'people who lose something',
    file: 'review/Affected',
    ...finish,
    press: [...finish.press, /^Show the 240 people who lose$/],
    holder: '.affected-people',
    row: '> ul > li',
    total: 240,
  },
];

export const usageSeed = [
  `insert into clients (client_id, client_secret, name) values ('yard', '', 'Yard')`,
  `insert into usages (client_id, caller, operation, option, media_type, product, first_seen_at, last_seen_at, count, brownouts)
   select 'yard', '', 'GET /yard-' || n, 'x', '', '', now(), now(), 1, 0 from ${series(1, 70)}`,
];

/** Parts that a test of their own walks, or whose link to all of it one follows. */
export const partsWalkedElsewhere = [
  'review/UndoneEvents',
  'review/Affected',
  'pages/history/ChangeSetDetail',
  'pages/why/Ways',
  'pages/clients/UsageOfClient',
];
