/** The users that a connector manages: those of its `idpname`, except those that it deleted. */
import { managedBy } from '../../auth/caller.js';
import type { Context, EntityManager } from '../../context.js';
import { fieldOf } from '../../entities/description.js';
import { User } from '../../entities/User.js';
import { UserProfile } from '../../entities/UserProfile.js';
import { GatehouseError, notFound, preconditionFailed } from '../../errors.js';
import { permitUser } from '../../services/adminScopes/guard.js';
import { execute } from '../../services/execute.js';
import { nameKey } from '../../services/nameKey.js';
import { lockedProfiles, raiseProfileRevisions } from '../../services/people/profiles.js';
import { userInput } from '../../services/people/users.js';
import { change, locked } from '../../services/records/change.js';
import { requireInput } from '../../services/records/input.js';
import { deleteRows } from '../../services/records/writeRecords.js';
import { endSessionsOfUsers } from '../../services/tokens/endSessions.js';
import { timeText } from '../../sql.js';
import { type Filterable, type ScimCondition, scimConditionSql, scimFault } from './conditions.js';
import { requireConnector } from './connectors.js';

/** Text fields of a user that a connector provisions. */
const textNames = [
  ...(['userName', 'idpid', 'title', 'firstName', 'lastName', 'email', 'emailType', 'telephone'] as const),
  ...(['telephoneType', 'jobTitle', 'department', 'languagePreference'] as const),
];
export type UserFields = Pick<User, (typeof textNames)[number] | 'isBlocked'>;

/** Clears every text except `idpid`, by which the user signs in, and `userName`, which is required. */
export const clearedFields: Partial<UserFields> = Object.fromEntries(
  textNames.filter((name) => name !== 'userName' && name !== 'idpid').map((name) => [name, null]),
);

export interface ProvisionedUser extends UserFields {
  userGuid: string;
  /** The `userName`; for a user who was not provisioned, the e-mail address, the id at the provider, or the guid. */
  shownName: string;
  /** ISO 8601. */
  createdDate: string;
  modifiedDate: string | null;
  revision: number;
  /** The `active` that a connector said last; null if none did, absent in lists. */
  provisionedActive?: boolean | null;
}

/** Maximum number of records in a list. */
export const pageMax = 200;

/** SQL: the `userName` of the user `u`, or what stands for it. */
export const shownName = 'coalesce(u.user_name, u.email, u.idpid, u.user_guid::text)';
// the expressions must be the same as in the indexes of Migration20261127053000 and Migration20261125192500
const isNamed = `(u.user_name is not null and ${nameKey('u.user_name')} = {value})
  or (u.user_name is null and ${nameKey('coalesce(u.email, u.idpid, u.user_guid::text)')} = {value})`;

/** SQL: whether the connector sees the user. Whoever unblocks a deleted user ends the deletion (`forget_deprovisioning`). @param idpname SQL */
export const isVisible = (idpname: string): string => `u.idpname = ${idpname} and u.deprovisioned_at is null`;

/** SQL: whether the text is the guid of the user; false for a text that is not a guid. */
export const isUser = `u.user_guid = case when {value} ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then {value}::uuid end`;

const columns = `u.user_guid::text as "userGuid", ${shownName} as "shownName", u.is_blocked as "isBlocked",
  ${textNames.map((name) => `u.${fieldOf(User, name).column} as "${name}"`).join(', ')},
  ${timeText('u.created_date')} as "createdDate", ${timeText('u.modified_date')} as "modifiedDate", u.revision`;

// as it is and in both forms of Unicode, as an index finds it
const anyForm = 'any(array[{value}, normalize({value}, NFC), normalize({value}, NFD)])';
const email: Filterable = {
  sql: 'u.email',
  type: 'text',
  // e-mail addresses are in two indexes: one for users with a name, one for users without
  equal: `(u.user_name is not null and lower(u.email) = ${anyForm}) or (u.user_name is null and lower(${shownName}) = ${anyForm} and lower(u.email) = ${anyForm})`,
};

/** An attribute that is not kept, so that nobody has it. */
const unkept: Filterable = { sql: 'null::text', type: 'text' };

/** The attributes that a filter of users may name, by their SCIM names in lower case. */
const userAttributes: Readonly<Record<string, Filterable>> = {
  id: { sql: 'u.user_guid::text', type: 'text', equal: isUser },
  username: { sql: shownName, type: 'name', equal: isNamed },
  externalid: { sql: 'u.idpid', type: 'exact', equal: 'u.idpid = {value}' },
  active: { sql: '(not u.is_blocked)', type: 'boolean' },
  emails: email,
  'emails.value': email,
  'emails.type': { sql: "case when u.email is not null then coalesce(u.email_type, 'work') end", type: 'text' },
  'emails.primary': { sql: 'u.email is not null', type: 'boolean' },
  phonenumbers: { sql: 'u.telephone', type: 'text' },
  'phonenumbers.value': { sql: 'u.telephone', type: 'text' },
  'phonenumbers.type': {
    sql: "case when u.telephone is not null then coalesce(u.telephone_type, 'work') end",
    type: 'text',
  },
  'phonenumbers.primary': { sql: 'u.telephone is not null', type: 'boolean' },
  'name.givenname': { sql: 'u.first_name', type: 'text' },
  'name.familyname': { sql: 'u.last_name', type: 'text' },
  title: { sql: 'u.job_title', type: 'text' },
  'enterprise:department': { sql: 'u.department', type: 'text' },
  // Entra asks for the manager before it sets one, and leaves out the schema
  manager: unkept,
  'enterprise:manager': unkept,
  'enterprise:manager.value': unkept,
};

/** Whether an index finds the users that meet the condition. */
const isIndexed = (condition: ScimCondition): boolean =>
  condition.kind === 'and'
    ? condition.parts.some(isIndexed)
    : condition.kind === 'comparison' &&
      condition.operator === 'eq' &&
      typeof condition.value === 'string' &&
      userAttributes[condition.attribute]?.equal !== undefined;

export interface PageRequest {
  condition?: ScimCondition | undefined;
  /** Number of records before the page. */
  skip: number;
  count: number;
}

/** Returns a page of users in the order of their numbers, and the total number. */
export async function listUsers(
  context: Context,
  { condition, skip, count }: PageRequest,
): Promise<{ total: number; users: ProvisionedUser[] }> {
  const { idpname } = requireConnector(context);
  const values: unknown[] = [idpname];
  const where = condition ? `and ${scimConditionSql(condition, userAttributes, values)}` : '';
  const from = `from users u where ${isVisible('$1')} ${where}`;
  const countAll = async () =>
    (await context.reads.rows<{ total: number }>(`select count(*)::int as total ${from}`, values))[0]!.total;
  if (count === 0) return { total: await countAll(), users: [] };
  // for a short page the planner would rather read all users in their order until it has met so many
  const page =
    condition && isIndexed(condition)
      ? `with found as materialized (select u.* ${from}) select ${columns} from found u`
      : `select ${columns} ${from}`;
  const users = await context.reads.rows<ProvisionedUser>(
    `${page} order by u.user_id limit $${values.length + 1} offset $${values.length + 2}`,
    [...values, count, skip],
  );
  // a page that is not full is the last one; an empty page says nothing about the number before it
  const isLast = users.length < count && (users.length > 0 || skip === 0);
  return { total: isLast ? skip + users.length : await countAll(), users };
}

/** SQL: what a connector said last to 1.0.0-rc.1, which kept only its changes. */
const saidBefore = `(select not (after->>'is_blocked')::boolean from record_versions join change_sets using (change_set_id)
    where record_table = 'users' and record_key = u.user_guid::text and face = 'scim' and after is not null
    order by record_version_id desc limit 1)`;
const oneUser = `select ${columns}, coalesce(u.provisioned_active, ${saidBefore}) as "provisionedActive"
  from users u where u.user_guid = $2::uuid and ${isVisible('$1')}`;

/** Throws NOT_FOUND, also for a user of another identity provider. */
export async function getUser(context: Context, userGuid: string): Promise<ProvisionedUser> {
  const { idpname } = requireConnector(context);
  const [user] = await context.reads.rows<ProvisionedUser>(oneUser, [idpname, userGuid]);
  if (!user) throw notFound('The user');
  return user;
}

async function readBack(em: EntityManager, idpname: string, userGuid: string): Promise<ProvisionedUser> {
  await em.flush();
  return (await execute<ProvisionedUser>(em, oneUser, [idpname, userGuid]))[0]!;
}

/**
 * Creates a user. A deleted user with the same id at the provider is restored instead, with the same guid. Throws
 * BAD_USER_INPUT, CONFLICT with `uniqueness`, and FORBIDDEN if the deleted user is an administrator.
 */
export function createProvisionedUser(context: Context, input: Partial<UserFields>): Promise<ProvisionedUser> {
  const { idpname } = requireConnector(context);
  const values = requireInput(userInput('create'), { ...input, idpname }) as Partial<UserFields>;
  return change(context, 'admin:write', async (em) => {
    await requireFreeName(em, idpname, values.userName, undefined);
    const linkedUser = values.idpid == null ? null : await em.findOne(User, { idpname, idpid: values.idpid }, locked);
    if (linkedUser && !linkedUser.deprovisionedAt) throw scimFault('uniqueness', 'Another user has the externalId.');
    if (!linkedUser) {
      const user = em.create(User, values as never, { partial: true });
      await em.flush();
      return readBack(em, idpname, user.userGuid);
    }
    await forbidAdministrator(em, context, linkedUser.userId);
    // values from before the deletion are not restored
    const returned = { isBlocked: false, ...values, deprovisionedAt: null };
    em.assign(linkedUser, { ...clearedFields, ...returned } as never);
    return readBack(em, idpname, linkedUser.userGuid);
  });
}

/**
 * Changes the fields that `valuesFor` returns for the present user. Blocking ends all sessions of the user. Throws NOT_FOUND,
 * BAD_USER_INPUT, CONFLICT, and FORBIDDEN to unblock an administrator or to change an administrator's id at the provider.
 */
export function changeProvisionedUser(
  context: Context,
  userGuid: string,
  ifRevision: RevisionCondition,
  valuesFor: (user: ProvisionedUser) => Partial<UserFields>,
): Promise<ProvisionedUser> {
  const { idpname } = requireConnector(context);
  return change(context, 'admin:write', async (em) => {
    const user = await lockUser(em, idpname, userGuid, ifRevision);
    const present = await readBack(em, idpname, userGuid);
    const said = valuesFor(present);
    // what somebody has already may be older than a rule
    const others = Object.entries(said).filter(([name, value]) => value !== present[name as keyof UserFields]);
    const values = requireInput(userInput('update'), Object.fromEntries(others)) as Partial<UserFields>;
    const changes = (name: 'idpid' | 'userName' | 'isBlocked') => name in values;
    if (changes('userName')) await requireFreeName(em, idpname, values.userName, userGuid);
    if (changes('idpid')) await requireFreeId(em, idpname, values.idpid);
    if (changes('idpid') || (changes('isBlocked') && !values.isBlocked))
      await forbidAdministrator(em, context, user.userId);
    if (changes('isBlocked') && values.isBlocked) await endSessionsOfUsers(em, context, [userGuid]);
    // what is so already is no change of the record, and no trigger sees it
    if (said.isBlocked !== undefined && !changes('isBlocked'))
      await execute(em, 'update users set provisioned_active = $2 where user_id = $1', [user.userId, !said.isBlocked]);
    em.assign(user, values as never);
    return readBack(em, idpname, userGuid);
  });
}

/**
 * Deletes a user for the connector: blocks the user, ends the sessions and removes the profiles that the connector assigned. The
 * record stays for the audit; the connector no longer sees it. Throws NOT_FOUND, CONFLICT.
 */
export async function deleteProvisionedUser(
  context: Context,
  userGuid: string,
  ifRevision: RevisionCondition,
): Promise<void> {
  const connector = requireConnector(context);
  await change(context, 'admin:write', async (em) => {
    const ofUser = `profile_id in (select link.profile_id from user_profiles link join users using (user_id)
      where user_guid = $1::uuid and link.managed_by = $2)`;
    await execute(em, lockedProfiles(ofUser), [userGuid, managedBy(connector)]);
    const user = await lockUser(em, connector.idpname, userGuid, ifRevision);
    const deleted = { isBlocked: true, deprovisionedAt: context.clock.now(), userName: null };
    em.assign(user, deleted as never);
    await em.flush();
    const links = await execute<{ id: number; profile_id: string }>(
      em,
      'select user_profile_id as id, profile_id from user_profiles where user_id = $1 and managed_by = $2',
      [user.userId, managedBy(connector)],
    );
    await raiseProfileRevisions(em, [...new Set(links.map((link) => link.profile_id))]);
    await deleteRows(
      em,
      UserProfile,
      links.map(({ id }) => id),
    );
    // locks sessions after profiles, in the order of every change of members
    await endSessionsOfUsers(em, context, [userGuid]);
  });
}

/** The condition of a request: whether it holds for this revision. */
export type RevisionCondition = ((revision: number) => boolean) | undefined;

/** Throws PRECONDITION_FAILED. */
export function requireCondition({ revision }: { revision: number }, ifRevision: RevisionCondition): void {
  if (ifRevision && !ifRevision(revision)) throw preconditionFailed();
}

async function lockUser(
  em: EntityManager,
  idpname: string,
  userGuid: string,
  ifRevision: RevisionCondition,
): Promise<User> {
  const user = await em.findOne(User, { userGuid, idpname }, locked);
  if (!user || user.deprovisionedAt) throw notFound('The user');
  requireCondition(user, ifRevision);
  return user;
}

/** Throws `uniqueness`. */
async function requireFreeName(
  em: EntityManager,
  idpname: string,
  userName: string | null | undefined,
  userGuid: string | undefined,
): Promise<void> {
  if (userName == null) return;
  const others = await execute(
    em,
    `select from users where idpname = $1 and user_name is not null and ${nameKey('user_name')} = ${nameKey('$2::text')}
       and user_guid is distinct from $3::uuid limit 1`,
    [idpname, userName, userGuid ?? null],
  );
  if (others.length > 0) throw scimFault('uniqueness', 'Another user has the userName.');
}

async function requireFreeId(em: EntityManager, idpname: string, idpid: string | null | undefined): Promise<void> {
  if (idpid != null && (await em.findOne(User, { idpname, idpid })))
    throw scimFault('uniqueness', 'Another user, or one who was deleted, has the externalId.');
}

/** Throws FORBIDDEN if the user is an administrator: a connector may block one, but not give anybody access as one. */
const forbidAdministrator = (em: EntityManager, context: Context, userId: number): Promise<void> =>
  permitUser(em, context, userId).catch(
    refusedWith(
      'The user holds a profile with administration scopes: only an administrator with admin:security may unblock the user or change the externalId.',
    ),
  );

export const refusedWith =
  (message: string) =>
  (error: unknown): never => {
    throw error instanceof GatehouseError && error.code === 'FORBIDDEN'
      ? new GatehouseError('FORBIDDEN', message)
      : error;
  };
