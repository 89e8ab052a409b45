/** Lists of the console whose rows are found by more than a filter of one record: a review's grants, proposals, history, the matrix, a comparison. */
import type { Context } from '../../../context.js';
import { AccessScope } from '../../../entities/AccessScope.js';
import { AccessScopeType } from '../../../entities/AccessScopeType.js';
import { Application } from '../../../entities/Application.js';
import { ChangeSet } from '../../../entities/ChangeSet.js';
import { Profile } from '../../../entities/Profile.js';
import { Proposal } from '../../../entities/Proposal.js';
import { Review } from '../../../entities/Review.js';
import { ReviewItem } from '../../../entities/ReviewItem.js';
import { User } from '../../../entities/User.js';
import { UserProfile } from '../../../entities/UserProfile.js';
import { isGuid, isStorable } from '../../../entities/valueForms.js';
import { badInput } from '../../../errors.js';
import { lasts } from '../../../services/access/grants.js';
import { openings } from '../../../services/access/openings.js';
import { fullName } from '../../../services/fullName.js';
import { containsWords, wordsOf } from '../../../services/read/foldedText.js';
import { mayRead } from '../../../services/read/projection.js';
import type { Condition } from '../../../services/read/readPages.js';
import { timeText } from '../../../sql.js';
import { type ComparedKind, comparePair, partOfComparison, redundantHolders } from '../../changes/compare.js';
import { summariesOf } from '../../changes/history/summary.js';
import { proposalCondition } from '../../governance/proposals/listProposals.js';
import { stateColumn } from '../../governance/proposals/storedProposals.js';
import { getReview } from '../../governance/reviews/decideItems.js';
import { itemCondition, reviewCondition } from '../../governance/reviews/listItems.js';
import type { ExportWish, Found, RecordList } from './recordLists.js';

/** The id with that name. Throws BAD_USER_INPUT. */
function idOf({ of }: ExportWish, name: string, isOfGuid = false): string {
  const id = of[name];
  if (id === undefined || !isStorable(id) || (isOfGuid && !isGuid(id)))
    throw badInput({ [`of.${name}`]: ['An id is expected.'] });
  return id;
}

/** `yes` or `no`; undefined where nothing is said. Throws BAD_USER_INPUT. */
function flagOf({ of }: ExportWish, name: string): boolean | undefined {
  const said = of[name];
  if (said !== undefined && said !== 'yes' && said !== 'no')
    throw badInput({ [`of.${name}`]: ['Yes or no is expected.'] });
  return said === undefined ? undefined : said === 'yes';
}

/** SQL: the relation `cell` of the mappings of an application `r`; one of a whole type has no access scope. */
const mappingCells = (ofTypes: string, ofScopes: string): string => `
  select t.name as cell_type, null::text as cell_scope, null::uuid as cell_guid, m.state as cell_state,
    null::text as cell_link, m.managed_by as cell_managed_by, coalesce(m.modified_date, m.created_date) as cell_at
  from access_scope_type_applications_mappers m join access_scope_types t using (access_scope_type_id)
  where m.application_id = r.application_id and ${ofTypes}
  union all select t.name, s.name, s.access_scope_guid, m.state, m.individual_external_link, m.managed_by,
    coalesce(m.modified_date, m.created_date)
  from access_scope_applications_mappers m join access_scopes s using (access_scope_id)
  join access_scope_types t using (access_scope_type_id)
  where m.application_id = r.application_id and ${ofScopes}`;
const mappingColumns = () => ({
  application: 'r.name',
  applicationGuid: 'r.application_guid',
  isActive: 'r.is_active',
  accessScopeType: 'r.cell_type',
  accessScope: 'r.cell_scope',
  accessScopeGuid: 'r.cell_guid',
  state: 'r.cell_state',
  individualExternalLink: 'r.cell_link',
  mappingManagedBy: 'r.cell_managed_by',
  mappedAt: timeText('r.cell_at'),
});

const day = (sql: string): string => `to_char(${sql} at time zone 'UTC', 'YYYY-MM-DD')`;
/** SQL: name and e-mail of a user by the guid. */
const person = (guid: string): Record<'name' | 'email', string> => ({
  name: `(select ${fullName('u.')} from users u where u.user_guid = ${guid})`,
  email: `(select u.email from users u where u.user_guid = ${guid})`,
});
/** SQL: the names of the access scopes through which the applications are open. @param ways SQL of `openings` */
const scopesThrough = (ways: string): string => `(
    select string_agg(distinct s.name || case when way.access_scope_type_applications_mapper_id is null then '' else ', by its type' end, '; ')
    from (${ways}) way join access_scopes s using (access_scope_id))`;
const counted = (path: string): string => `(r.proposed_counts #>> '{${path}}')::int`;

/** The names of two profiles, or of two users. */
async function namesOf({ sql }: Context, what: 'user' | 'profile', ids: readonly string[]): Promise<string[]> {
  const rows = await sql.rows<{ id: string; name: string }>(
    what === 'user'
      ? `select user_guid::text as id, ${fullName()} as name from users where user_guid = any($1::uuid[])`
      : 'select profile_id as id, name from profiles where profile_id = any($1::text[])',
    [ids],
  );
  return ids.map((id) => rows.find((row) => row.id === id.toLowerCase() || row.id === id)?.name ?? id);
}

/** As in the graph: change sets need another permission than what made them. */
const hideChangeSets: NonNullable<RecordList['complete']> = async (context, rows) => {
  if (!mayRead(context, ChangeSet)) for (const row of rows) row.changeSetGuid = null;
};

/** @param lists those of records, whose columns they share */
export function viewLists(lists: Readonly<Record<string, RecordList>>): Readonly<Record<string, RecordList>> {
  const compared = (kind: ComparedKind, record: RecordList['record'], like: string): RecordList => ({
    record,
    columns: lists[like]!.columns,
    find: async (context, wish) => {
      const side = idOf(wish, 'compared') === 'user' ? 'user' : 'profile';
      const comparison = await comparePair(
        context,
        side,
        idOf(wish, 'left', side === 'user'),
        idOf(wish, 'right', side === 'user'),
      );
      const [left, right] = await namesOf(context, side, [idOf(wish, 'left'), idOf(wish, 'right')]);
      const part = (which: Parameters<typeof partOfComparison>[3]) =>
        partOfComparison(context, comparison, kind, which);
      const any: Condition = (statement, alias) =>
        (['onlyLeft', 'both', 'onlyRight'] as const).map((which) => `(${part(which)(statement, alias)})`).join(' or ');
      return {
        condition: (statement, alias) => `(${any(statement, alias)})`,
        columns: (statement) => ({
          has: `case when ${part('both')(statement, 'r')} then 'both' when ${part('onlyLeft')(statement, 'r')}
            then ${statement.bind(`only ${left}`, 'text')} else ${statement.bind(`only ${right}`, 'text')} end`,
        }),
      };
    },
  });
  /** The texts of a field of records with a group of translations, a line for each language; a record without any has one too. */
  const texts = (record: RecordList['record'], guid: string): RecordList => ({
    record,
    columns: () => ({
      name: 'r.name',
      guid: `r.${guid}`,
      translationGroup: 'r.translation_group',
      language: 'r.cell_language',
      text: 'r.cell_text',
    }),
    cells: (statement, wish) => `
      select text.language_code as cell_language, text.translated_text as cell_text
      from (values (1)) one left join translations text on text.translation_group = r.translation_group
        and text.field_name = ${statement.bind(idOf(wish, 'fieldName'), 'text')}`,
  });
  return {
    reviewItems: {
      record: ReviewItem,
      filterType: 'ReviewItemFilter',
      find: async (context, wish): Promise<Found> => {
        const { reviewId } = await getReview(context.sql, idOf(wish, 'reviewGuid', true));
        return { condition: itemCondition(context, reviewId, wish.filter ?? {}) };
      },
      columns: () => ({
        person: 'r.user_name',
        email: 'r.user_email',
        department: 'r.department',
        accessScope: 'r.access_scope_name',
        profile: 'r.profile_name',
        profileId: 'r.profile_id',
        roleId: 'r.role_id',
        grantedByName: person('r.granted_by').name,
        grantedAt: timeText('r.granted_at'),
        lastUsed: day('r.last_used_at'),
        validUntil: timeText('r.valid_until'),
        managedBy: 'r.managed_by',
        opens: 'r.opens',
        unusual: 'r.is_unusual',
        decision: 'r.decision',
        until: timeText('r.until'),
        decidedByName: person('r.decided_by').name,
        decidedAt: timeText('r.decided_at'),
        note: 'r.decision_note',
        outcome: 'r.outcome',
      }),
    },
    reviews: {
      record: Review,
      filterType: 'ReviewListFilter',
      find: async (_context, { filter }): Promise<Found> => ({
        condition: reviewCondition(filter?.state as string[] | null, filter?.text as string | null),
      }),
      columns: () => {
        const items = (condition: string) =>
          `(select count(*) from review_items item where item.review_id = r.review_id and ${condition})`;
        return {
          reviewGuid: 'r.review_guid',
          name: 'r.name',
          state: 'r.state',
          note: 'r.note',
          startedByName: person('r.started_by').name,
          startedByEmail: person('r.started_by').email,
          startedAt: timeText('r.started_at'),
          dueAt: timeText('r.due_at'),
          undecidedBecome: 'r.undecided',
          grants: 'r.total',
          kept: items("item.decision = 'KEEP'"),
          ended: items("item.decision in ('END', 'END_AT')"),
          undecided: items('item.decision is null'),
          finishedByName: person('r.finished_by').name,
          finishedAt: timeText('r.finished_at'),
          changeSetGuid: 'r.change_set_guid',
        };
      },
      complete: hideChangeSets,
    },
    proposals: {
      record: Proposal,
      filterType: 'ProposalFilter',
      find: async (context, { filter }): Promise<Found> => ({ condition: proposalCondition(context, filter ?? {}) }),
      columns: () => ({
        proposalGuid: 'r.proposal_guid',
        title: 'r.title',
        state: stateColumn('r'),
        note: 'r.note',
        proposedByName: person('r.proposed_by').name,
        proposedByEmail: person('r.proposed_by').email,
        proposedAt: timeText('r.proposed_at'),
        expiresAt: timeText('r.expires_at'),
        applyAt: timeText('r.apply_at'),
        peopleGaining: counted('gains,users'),
        peopleLosing: counted('loses,users'),
        decidedByName: person('r.decided_by').name,
        decidedByEmail: person('r.decided_by').email,
        decidedAt: timeText('r.decided_at'),
        decisionNote: 'r.decision_note',
        changeSetGuid: 'r.change_set_guid',
      }),
      complete: hideChangeSets,
    },
    changeSets: {
      record: ChangeSet,
      columns: () => ({
        changeSetGuid: 'r.change_set_guid',
        occurredAt: timeText('r.occurred_at'),
        byName: person('r.actor').name,
        byEmail: person('r.actor').email,
        actor: 'r.actor',
        summary: 'null::text',
        note: 'r.note',
        face: 'r.face',
        traceId: 'r.trace_id',
        managedBy: 'r.managed_by',
        events: '(select count(*) from audit_events event where event.change_set_id = r.change_set_id)',
        undoes: '(select undone.change_set_guid from change_sets undone where undone.change_set_id = r.undoes_id)',
        undoneBy:
          '(select min(later.change_set_guid::text) from change_sets later where later.undoes_id = r.change_set_id)',
      }),
      complete: async (context: Context, rows) => {
        const summaries = await summariesOf(
          context,
          rows.map(({ changeSetGuid }) => String(changeSetGuid)),
        );
        const mayName = mayRead(context, User);
        rows.forEach((row, index) => {
          row.summary = summaries[index]!;
          if (!mayName) Object.assign(row, { byName: null, byEmail: null });
        });
      },
    },
    matrix: {
      record: Application,
      columns: mappingColumns,
      cells: (statement, wish) => {
        const type = `(select t.access_scope_type_id from access_scope_types t
          where t.access_scope_type_guid = ${statement.bind(idOf(wish, 'accessScopeTypeGuid', true), 'uuid')})`;
        return mappingCells(`m.access_scope_type_id = ${type}`, `s.access_scope_type_id = ${type}`);
      },
    },
    openedBy: {
      record: Application,
      columns: mappingColumns,
      find: async (_context, wish): Promise<Found> => {
        const guid = idOf(wish, 'applicationGuid', true);
        return { condition: (statement, alias) => `${alias}.application_guid = ${statement.bind(guid, 'uuid')}` };
      },
      cells: (statement, { of }) => {
        const words = wordsOf(of.text ?? '', 'of.text');
        const named = (columns: readonly string[]) =>
          containsWords(columns, words, (word) => statement.bind(word, 'text'));
        return mappingCells(named(['t.name']), named(['s.name', 's.access_scope_key', 's.description']));
      },
    },
    opened: {
      record: Application,
      columns: lists.applications!.columns,
      find: async ({ config }, wish): Promise<Found> => {
        const profileId = idOf(wish, 'profileId');
        const words = wordsOf(wish.of.text ?? '', 'of.text');
        const [onlyThis, isActive = true] = [flagOf(wish, 'onlyThis'), flagOf(wish, 'isActive')];
        const ways = (statement: Parameters<Condition>[0], condition: string) =>
          openings(condition, statement.bind(config.mappingActiveStates, 'text[]'));
        const others = (statement: Parameters<Condition>[0], alias: string) =>
          `(select count(distinct way.profile_id) - 1 from (${ways(statement, `m.application_id = ${alias}.application_id`)}) way)`;
        return {
          condition: (statement, alias) =>
            [
              `${alias}.application_id in (select way.application_id
                 from (${ways(statement, `has.profile_id = ${statement.bind(profileId, 'text')}`)}) way)`,
              `${alias}.is_active = ${statement.bind(isActive, 'boolean')}`,
              containsWords([`${alias}.name`], words, (word) => statement.bind(word, 'text')),
              ...(onlyThis ? [`${others(statement, alias)} = 0`] : []),
            ].join(' and '),
          columns: (statement) => ({
            through: scopesThrough(
              ways(
                statement,
                `has.profile_id = ${statement.bind(profileId, 'text')} and m.application_id = r.application_id`,
              ),
            ),
            otherProfiles: others(statement, 'r'),
          }),
        };
      },
    },
    reach: {
      record: UserProfile,
      columns: lists.userProfiles!.columns,
      find: async (context, wish): Promise<Found> => {
        const guid = idOf(wish, 'applicationGuid', true);
        const ways = (statement: Parameters<Condition>[0], condition: string) =>
          openings(
            `m.application_id = (select a.application_id from applications a
               where a.application_guid = ${statement.bind(guid, 'uuid')} and a.is_active)${condition}`,
            statement.bind(context.config.mappingActiveStates, 'text[]'),
          );
        return {
          condition: (
            statement,
            alias,
          ) => `${alias}.profile_id in (select way.profile_id from (${ways(statement, '')}) way)
            and ${lasts(alias)} and not exists (select from users u where u.user_id = ${alias}.user_id and u.is_blocked)`,
          columns: (statement) => ({
            through: scopesThrough(ways(statement, ' and has.profile_id = r.profile_id')),
          }),
        };
      },
    },
    applicationTexts: texts(Application, 'application_guid'),
    accessScopeTexts: texts(AccessScope, 'access_scope_guid'),
    accessScopeTypeTexts: texts(AccessScopeType, 'access_scope_type_guid'),
    comparedProfiles: compared('profiles', Profile, 'profiles'),
    comparedScopes: compared('scopes', AccessScope, 'accessScopes'),
    comparedApplications: compared('applications', Application, 'applications'),
    comparedPeople: compared('people', User, 'users'),
    redundantHolders: {
      record: User,
      columns: lists.users!.columns,
      find: async (context, wish): Promise<Found> => ({
        condition: redundantHolders(
          context,
          await comparePair(context, 'profile', idOf(wish, 'left'), idOf(wish, 'right')),
        ),
      }),
    },
  };
}
