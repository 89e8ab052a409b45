/** Written by `npm run generate` from the operations beside this folder. */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** Why a link does not hold. */
export type AccessReason =
  /** The application is out of use. */
  | 'APPLICATION_INACTIVE'
  /** The mapping is in a state that opens nothing. */
  | 'MAPPING_STATE'
  /** No mapping leads to the application. */
  | 'NO_MAPPING'
  /** The user does not hold the profile. */
  | 'PROFILE_NOT_HELD'
  /** The access scope is out of use. */
  | 'SCOPE_INACTIVE'
  /** The profile does not have the access scope. */
  | 'SCOPE_NOT_IN_PROFILE'
  /** The access scope type is out of use. */
  | 'TYPE_INACTIVE'
  /** The user is blocked. */
  | 'USER_BLOCKED';

/** A mapping to an access scope. */
export type AccessScopeApplicationsMapperCreateInput = {
  /** Guid of the access scope. */
  accessScopeGuid: string;
  /** Link of this scope instead of the global one. */
  individualExternalLink?: string | null | undefined;
  /** State of the mapping. */
  state?: string | null | undefined;
};

/** Conditions on AccessScopeApplicationsMapper records; all given ones must hold. */
export type AccessScopeApplicationsMapperFilter = {
  /** The access scope. */
  accessScope?: AccessScopeFilter | null | undefined;
  /** Number of the mapping. */
  accessScopeApplicationsMapperId?: IntFilter | null | undefined;
  /** Number of the access scope. */
  accessScopeId?: IntFilter | null | undefined;
  /** All of these hold. */
  and?: Array<AccessScopeApplicationsMapperFilter> | null | undefined;
  /** The application. */
  application?: ApplicationFilter | null | undefined;
  /** Number of the application. */
  applicationId?: IntFilter | null | undefined;
  /** Guid of the user who made the record. */
  createdBy?: UUIDFilter | null | undefined;
  /** The user who made the record; null when that user is not known here. */
  createdByNavigation?: UserFilter | null | undefined;
  /** When the record was made. */
  createdDate?: DateTimeFilter | null | undefined;
  /** Link of this scope instead of the global one. */
  individualExternalLink?: StringFilter | null | undefined;
  /** Name of the file in git that manages it; null: none. */
  managedBy?: StringFilter | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: UUIDFilter | null | undefined;
  /** The user who last changed the record; null when there is none, or not known here. */
  modifiedByNavigation?: UserFilter | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: DateTimeFilter | null | undefined;
  /** This does not hold. */
  not?: AccessScopeApplicationsMapperFilter | null | undefined;
  /** At least one of these holds. */
  or?: Array<AccessScopeApplicationsMapperFilter> | null | undefined;
  /** Raised by each change; send it back as ifRevision. */
  revision?: IntFilter | null | undefined;
  /** State of the mapping. */
  state?: StringFilter | null | undefined;
};

/** Conditions on related records. */
export type AccessScopeApplicationsMapperListFilter = {
  /** No related record passes. */
  none?: AccessScopeApplicationsMapperFilter | null | undefined;
  /** At least one related record passes. */
  some?: AccessScopeApplicationsMapperFilter | null | undefined;
};

/** One ordering: exactly one member is given. */
export type AccessScopeApplicationsMapperOrderBy = {
  /** The access scope. */
  accessScope?: AccessScopeOrderBy | null | undefined;
  /** Number of the mapping. */
  accessScopeApplicationsMapperId?: Direction | null | undefined;
  /** Number of the access scope. */
  accessScopeId?: Direction | null | undefined;
  /** The application. */
  application?: ApplicationOrderBy | null | undefined;
  /** Number of the application. */
  applicationId?: Direction | null | undefined;
  /** Guid of the user who made the record. */
  createdBy?: Direction | null | undefined;
  /** The user who made the record; null when that user is not known here. */
  createdByNavigation?: UserOrderBy | null | undefined;
  /** When the record was made. */
  createdDate?: Direction | null | undefined;
  /** Link of this scope instead of the global one. */
  individualExternalLink?: Direction | null | undefined;
  /** Name of the file in git that manages it; null: none. */
  managedBy?: Direction | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: Direction | null | undefined;
  /** The user who last changed the record; null when there is none, or not known here. */
  modifiedByNavigation?: UserOrderBy | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: Direction | null | undefined;
  /** Raised by each change; send it back as ifRevision. */
  revision?: Direction | null | undefined;
  /** State of the mapping. */
  state?: Direction | null | undefined;
};

/** A mapping to an access scope. */
export type AccessScopeApplicationsMapperUpdateInput = {
  /** Guid of the access scope. */
  accessScopeGuid: string;
  /** Raised by each change; send it back as ifRevision. */
  ifRevision?: number | null | undefined;
  /** Link of this scope instead of the global one. */
  individualExternalLink?: string | null | undefined;
  /** State of the mapping. */
  state?: string | null | undefined;
};

/** Conditions on AccessScope records; all given ones must hold. */
export type AccessScopeFilter = {
  /** The applications it opens. */
  accessScopeApplicationsMappers?: AccessScopeApplicationsMapperListFilter | null | undefined;
  /** Guid of the access scope. */
  accessScopeGuid?: UUIDFilter | null | undefined;
  /** Number of the access scope. */
  accessScopeId?: IntFilter | null | undefined;
  /** Key in the `scopes` claim, without white space, control or format characters, quotes or backslashes; not `*`. */
  accessScopeKey?: StringFilter | null | undefined;
  /** Its type. */
  accessScopeType?: AccessScopeTypeFilter | null | undefined;
  /** Number of its access scope type. */
  accessScopeTypeId?: IntFilter | null | undefined;
  /** All of these hold. */
  and?: Array<AccessScopeFilter> | null | undefined;
  /** Number of what it stands for; in the claim when there is no key. */
  concreteId?: IntFilter | null | undefined;
  /** Guid of the user who made the record. */
  createdBy?: UUIDFilter | null | undefined;
  /** The user who made the record; null when that user is not known here. */
  createdByNavigation?: UserFilter | null | undefined;
  /** When the record was made. */
  createdDate?: DateTimeFilter | null | undefined;
  /** What it is for. */
  description?: StringFilter | null | undefined;
  /** Whether it is in use; an inactive one is in no token. */
  isActive?: BooleanFilter | null | undefined;
  /** Whether it stands for every scope of its type. */
  isWildcard?: BooleanFilter | null | undefined;
  /** Name of the file in git that manages it; null: none. */
  managedBy?: StringFilter | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: UUIDFilter | null | undefined;
  /** The user who last changed the record; null when there is none, or not known here. */
  modifiedByNavigation?: UserFilter | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: DateTimeFilter | null | undefined;
  /** Name shown to people. */
  name?: StringFilter | null | undefined;
  /** This does not hold. */
  not?: AccessScopeFilter | null | undefined;
  /** At least one of these holds. */
  or?: Array<AccessScopeFilter> | null | undefined;
  /** The profiles that have it. */
  profileAccessScopes?: ProfileAccessScopeListFilter | null | undefined;
  /** Raised by each change; send it back as ifRevision. */
  revision?: IntFilter | null | undefined;
  /** Every word is a part of name or accessScopeKey; accents and case do not count. */
  text?: string | null | undefined;
  /** Group of its translations. */
  translationGroup?: StringFilter | null | undefined;
  /** Its texts in other languages. */
  translations?: TranslationListFilter | null | undefined;
};

/** Conditions on related records. */
export type AccessScopeListFilter = {
  /** No related record passes. */
  none?: AccessScopeFilter | null | undefined;
  /** At least one related record passes. */
  some?: AccessScopeFilter | null | undefined;
};

/** One ordering: exactly one member is given. */
export type AccessScopeOrderBy = {
  /** Guid of the access scope. */
  accessScopeGuid?: Direction | null | undefined;
  /** Number of the access scope. */
  accessScopeId?: Direction | null | undefined;
  /** Key in the `scopes` claim, without white space, control or format characters, quotes or backslashes; not `*`. */
  accessScopeKey?: Direction | null | undefined;
  /** Its type. */
  accessScopeType?: AccessScopeTypeOrderBy | null | undefined;
  /** Number of its access scope type. */
  accessScopeTypeId?: Direction | null | undefined;
  /** Number of what it stands for; in the claim when there is no key. */
  concreteId?: Direction | null | undefined;
  /** Guid of the user who made the record. */
  createdBy?: Direction | null | undefined;
  /** The user who made the record; null when that user is not known here. */
  createdByNavigation?: UserOrderBy | null | undefined;
  /** When the record was made. */
  createdDate?: Direction | null | undefined;
  /** What it is for. */
  description?: Direction | null | undefined;
  /** Whether it is in use; an inactive one is in no token. */
  isActive?: Direction | null | undefined;
  /** Whether it stands for every scope of its type. */
  isWildcard?: Direction | null | undefined;
  /** Name of the file in git that manages it; null: none. */
  managedBy?: Direction | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: Direction | null | undefined;
  /** The user who last changed the record; null when there is none, or not known here. */
  modifiedByNavigation?: UserOrderBy | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: Direction | null | undefined;
  /** Name shown to people. */
  name?: Direction | null | undefined;
  /** Raised by each change; send it back as ifRevision. */
  revision?: Direction | null | undefined;
  /** Group of its translations. */
  translationGroup?: Direction | null | undefined;
};

/** A mapping to an access scope type. */
export type AccessScopeTypeApplicationsMapperCreateInput = {
  /** Guid of the access scope type. */
  accessScopeTypeGuid: string;
  /** State of the mapping. */
  state?: string | null | undefined;
};

/** Conditions on AccessScopeTypeApplicationsMapper records; all given ones must hold. */
export type AccessScopeTypeApplicationsMapperFilter = {
  /** The access scope type. */
  accessScopeType?: AccessScopeTypeFilter | null | undefined;
  /** Number of the mapping. */
  accessScopeTypeApplicationsMapperId?: IntFilter | null | undefined;
  /** Number of the access scope type. */
  accessScopeTypeId?: IntFilter | null | undefined;
  /** All of these hold. */
  and?: Array<AccessScopeTypeApplicationsMapperFilter> | null | undefined;
  /** The application. */
  application?: ApplicationFilter | null | undefined;
  /** Number of the application. */
  applicationId?: IntFilter | null | undefined;
  /** Guid of the user who made the record. */
  createdBy?: UUIDFilter | null | undefined;
  /** The user who made the record; null when that user is not known here. */
  createdByNavigation?: UserFilter | null | undefined;
  /** When the record was made. */
  createdDate?: DateTimeFilter | null | undefined;
  /** Name of the file in git that manages it; null: none. */
  managedBy?: StringFilter | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: UUIDFilter | null | undefined;
  /** The user who last changed the record; null when there is none, or not known here. */
  modifiedByNavigation?: UserFilter | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: DateTimeFilter | null | undefined;
  /** This does not hold. */
  not?: AccessScopeTypeApplicationsMapperFilter | null | undefined;
  /** At least one of these holds. */
  or?: Array<AccessScopeTypeApplicationsMapperFilter> | null | undefined;
  /** Raised by each change; send it back as ifRevision. */
  revision?: IntFilter | null | undefined;
  /** State of the mapping. */
  state?: StringFilter | null | undefined;
};

/** Conditions on related records. */
export type AccessScopeTypeApplicationsMapperListFilter = {
  /** No related record passes. */
  none?: AccessScopeTypeApplicationsMapperFilter | null | undefined;
  /** At least one related record passes. */
  some?: AccessScopeTypeApplicationsMapperFilter | null | undefined;
};

/** One ordering: exactly one member is given. */
export type AccessScopeTypeApplicationsMapperOrderBy = {
  /** The access scope type. */
  accessScopeType?: AccessScopeTypeOrderBy | null | undefined;
  /** Number of the mapping. */
  accessScopeTypeApplicationsMapperId?: Direction | null | undefined;
  /** Number of the access scope type. */
  accessScopeTypeId?: Direction | null | undefined;
  /** The application. */
  application?: ApplicationOrderBy | null | undefined;
  /** Number of the application. */
  applicationId?: Direction | null | undefined;
  /** Guid of the user who made the record. */
  createdBy?: Direction | null | undefined;
  /** The user who made the record; null when that user is not known here. */
  createdByNavigation?: UserOrderBy | null | undefined;
  /** When the record was made. */
  createdDate?: Direction | null | undefined;
  /** Name of the file in git that manages it; null: none. */
  managedBy?: Direction | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: Direction | null | undefined;
  /** The user who last changed the record; null when there is none, or not known here. */
  modifiedByNavigation?: UserOrderBy | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: Direction | null | undefined;
  /** Raised by each change; send it back as ifRevision. */
  revision?: Direction | null | undefined;
  /** State of the mapping. */
  state?: Direction | null | undefined;
};

/** A mapping to an access scope type. */
export type AccessScopeTypeApplicationsMapperUpdateInput = {
  /** Guid of the access scope type. */
  accessScopeTypeGuid: string;
  /** Raised by each change; send it back as ifRevision. */
  ifRevision?: number | null | undefined;
  /** State of the mapping. */
  state?: string | null | undefined;
};

/** Conditions on AccessScopeType records; all given ones must hold. */
export type AccessScopeTypeFilter = {
  /** The applications it opens. */
  accessScopeTypeApplicationsMappers?: AccessScopeTypeApplicationsMapperListFilter | null | undefined;
  /** Guid of the access scope type. */
  accessScopeTypeGuid?: UUIDFilter | null | undefined;
  /** Number of the access scope type. */
  accessScopeTypeId?: IntFilter | null | undefined;
  /** The access scopes of the type. */
  accessScopes?: AccessScopeListFilter | null | undefined;
  /** All of these hold. */
  and?: Array<AccessScopeTypeFilter> | null | undefined;
  /** Guid of the user who made the record. */
  createdBy?: UUIDFilter | null | undefined;
  /** The user who made the record; null when that user is not known here. */
  createdByNavigation?: UserFilter | null | undefined;
  /** When the record was made. */
  createdDate?: DateTimeFilter | null | undefined;
  /** What it is for. */
  description?: StringFilter | null | undefined;
  /** Whether it is in use; the scopes of one out of use are in no token. */
  isActive?: BooleanFilter | null | undefined;
  /** Name of the file in git that manages it; null: none. */
  managedBy?: StringFilter | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: UUIDFilter | null | undefined;
  /** The user who last changed the record; null when there is none, or not known here. */
  modifiedByNavigation?: UserFilter | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: DateTimeFilter | null | undefined;
  /** Name, unique; without colon, white space, control or format characters, quotes or backslashes; not like `admin`. */
  name?: StringFilter | null | undefined;
  /** This does not hold. */
  not?: AccessScopeTypeFilter | null | undefined;
  /** At least one of these holds. */
  or?: Array<AccessScopeTypeFilter> | null | undefined;
  /** Raised by each change; send it back as ifRevision. */
  revision?: IntFilter | null | undefined;
  /** Every word is a part of name; accents and case do not count. */
  text?: string | null | undefined;
  /** Group of its translations. */
  translationGroup?: StringFilter | null | undefined;
  /** Its texts in other languages. */
  translations?: TranslationListFilter | null | undefined;
};

/** One ordering: exactly one member is given. */
export type AccessScopeTypeOrderBy = {
  /** Guid of the access scope type. */
  accessScopeTypeGuid?: Direction | null | undefined;
  /** Number of the access scope type. */
  accessScopeTypeId?: Direction | null | undefined;
  /** Guid of the user who made the record. */
  createdBy?: Direction | null | undefined;
  /** The user who made the record; null when that user is not known here. */
  createdByNavigation?: UserOrderBy | null | undefined;
  /** When the record was made. */
  createdDate?: Direction | null | undefined;
  /** What it is for. */
  description?: Direction | null | undefined;
  /** Whether it is in use; the scopes of one out of use are in no token. */
  isActive?: Direction | null | undefined;
  /** Name of the file in git that manages it; null: none. */
  managedBy?: Direction | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: Direction | null | undefined;
  /** The user who last changed the record; null when there is none, or not known here. */
  modifiedByNavigation?: UserOrderBy | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: Direction | null | undefined;
  /** Name, unique; without colon, white space, control or format characters, quotes or backslashes; not like `admin`. */
  name?: Direction | null | undefined;
  /** Raised by each change; send it back as ifRevision. */
  revision?: Direction | null | undefined;
  /** Group of its translations. */
  translationGroup?: Direction | null | undefined;
};

/** Conditions on Application records; all given ones must hold. */
export type ApplicationFilter = {
  /** The access scopes that open it. */
  accessScopeApplicationsMappers?: AccessScopeApplicationsMapperListFilter | null | undefined;
  /** The access scope types that open it. */
  accessScopeTypeApplicationsMappers?: AccessScopeTypeApplicationsMapperListFilter | null | undefined;
  /** All of these hold. */
  and?: Array<ApplicationFilter> | null | undefined;
  /** Kind of application. */
  appType?: StringFilter | null | undefined;
  /** Guid of the application. */
  applicationGuid?: UUIDFilter | null | undefined;
  /** Number of the application. */
  applicationId?: IntFilter | null | undefined;
  /** Guid of the user who made the record. */
  createdBy?: UUIDFilter | null | undefined;
  /** The user who made the record; null when that user is not known here. */
  createdByNavigation?: UserFilter | null | undefined;
  /** When the record was made. */
  createdDate?: DateTimeFilter | null | undefined;
  /** What it is for. */
  description?: StringFilter | null | undefined;
  /** Link where no individual one is set. */
  globalExternalLink?: StringFilter | null | undefined;
  /** Icon at rest. */
  iconDefault?: StringFilter | null | undefined;
  /** Icon under the pointer. */
  iconHover?: StringFilter | null | undefined;
  /** Whether it is in use. */
  isActive?: BooleanFilter | null | undefined;
  /** Whether it is shown in an iframe. */
  isIframe?: BooleanFilter | null | undefined;
  /** Whether it needs a token exchange. */
  isTokenExchangeRequired?: BooleanFilter | null | undefined;
  /** How its link opens. */
  linkType?: StringFilter | null | undefined;
  /** Name of the file in git that manages it; null: none. */
  managedBy?: StringFilter | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: UUIDFilter | null | undefined;
  /** The user who last changed the record; null when there is none, or not known here. */
  modifiedByNavigation?: UserFilter | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: DateTimeFilter | null | undefined;
  /** Name shown to people. */
  name?: StringFilter | null | undefined;
  /** This does not hold. */
  not?: ApplicationFilter | null | undefined;
  /** At least one of these holds. */
  or?: Array<ApplicationFilter> | null | undefined;
  /** How it is rendered. */
  renderingMode?: StringFilter | null | undefined;
  /** Raised by each change; send it back as ifRevision. */
  revision?: IntFilter | null | undefined;
  /** Every word is a part of name; accents and case do not count. */
  text?: string | null | undefined;
  /** Group of its translations. */
  translationGroup?: StringFilter | null | undefined;
  /** Its texts in other languages. */
  translations?: TranslationListFilter | null | undefined;
};

/** One ordering: exactly one member is given. */
export type ApplicationOrderBy = {
  /** Kind of application. */
  appType?: Direction | null | undefined;
  /** Guid of the application. */
  applicationGuid?: Direction | null | undefined;
  /** Number of the application. */
  applicationId?: Direction | null | undefined;
  /** Guid of the user who made the record. */
  createdBy?: Direction | null | undefined;
  /** The user who made the record; null when that user is not known here. */
  createdByNavigation?: UserOrderBy | null | undefined;
  /** When the record was made. */
  createdDate?: Direction | null | undefined;
  /** What it is for. */
  description?: Direction | null | undefined;
  /** Link where no individual one is set. */
  globalExternalLink?: Direction | null | undefined;
  /** Icon at rest. */
  iconDefault?: Direction | null | undefined;
  /** Icon under the pointer. */
  iconHover?: Direction | null | undefined;
  /** Whether it is in use. */
  isActive?: Direction | null | undefined;
  /** Whether it is shown in an iframe. */
  isIframe?: Direction | null | undefined;
  /** Whether it needs a token exchange. */
  isTokenExchangeRequired?: Direction | null | undefined;
  /** How its link opens. */
  linkType?: Direction | null | undefined;
  /** Name of the file in git that manages it; null: none. */
  managedBy?: Direction | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: Direction | null | undefined;
  /** The user who last changed the record; null when there is none, or not known here. */
  modifiedByNavigation?: UserOrderBy | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: Direction | null | undefined;
  /** Name shown to people. */
  name?: Direction | null | undefined;
  /** How it is rendered. */
  renderingMode?: Direction | null | undefined;
  /** Raised by each change; send it back as ifRevision. */
  revision?: Direction | null | undefined;
  /** Group of its translations. */
  translationGroup?: Direction | null | undefined;
};

/** The arguments of assignProfile. */
export type AssignProfileChange = {
  /** Id of the profile. */
  profileId: string;
  /** Id of the role. */
  roleId: string;
  /** Guid of the user: the `sub` of tokens. */
  userGuid: string;
};

/** Conditions on AuditEvent records; all given ones must hold. */
export type AuditEventFilter = {
  /** What was done, such as `create`, `update`, `delete`. */
  action?: StringFilter | null | undefined;
  /** Guid of the user who did it. */
  actor?: UUIDFilter | null | undefined;
  /** The user who did it; null when not known here. Requires admin:read. */
  actorNavigation?: UserFilter | null | undefined;
  /** All of these hold. */
  and?: Array<AuditEventFilter> | null | undefined;
  /** Number of the event. */
  auditEventId?: IDFilter | null | undefined;
  /** What it was done with; null before change sets were kept. */
  changeSet?: ChangeSetFilter | null | undefined;
  /** This does not hold. */
  not?: AuditEventFilter | null | undefined;
  /** When it happened. */
  occurredAt?: DateTimeFilter | null | undefined;
  /** At least one of these holds. */
  or?: Array<AuditEventFilter> | null | undefined;
  /** Guid or id of the record. */
  subjectId?: StringFilter | null | undefined;
  /** Kind of record it was done to. */
  subjectType?: StringFilter | null | undefined;
  /** Trace id of the request. */
  traceId?: StringFilter | null | undefined;
};

/** Conditions on related records. */
export type AuditEventListFilter = {
  /** No related record passes. */
  none?: AuditEventFilter | null | undefined;
  /** At least one related record passes. */
  some?: AuditEventFilter | null | undefined;
};

/** Conditions on a truth value; all given ones must hold. */
export type BooleanFilter = {
  /** Equal; null: has no value. */
  eq?: boolean | null | undefined;
  /** Whether it has no value. */
  isNull?: boolean | null | undefined;
  /** Not equal, having no value included; null: has a value. */
  ne?: boolean | null | undefined;
};

/** A change: exactly one member is given. */
export type ChangeInput =
  {   /** As the mutation assignProfile. */
  assignProfile: AssignProfileChange; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignProfile?: never;   /** As the mutation createAccessScope. */
  createAccessScope: CreateAccessScopeChange; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignProfile?: never; createAccessScope?: never;   /** As the mutation createAccessScopeApplicationsMappers. */
  createAccessScopeApplicationsMappers: CreateAccessScopeApplicationsMappersChange; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignProfile?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never;   /** As the mutation createAccessScopeType. */
  createAccessScopeType: CreateAccessScopeTypeChange; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignProfile?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never;   /** As the mutation createAccessScopeTypeApplicationsMappers. */
  createAccessScopeTypeApplicationsMappers: CreateAccessScopeTypeApplicationsMappersChange; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignProfile?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never;   /** As the mutation createApplication. */
  createApplication: CreateApplicationChange; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignProfile?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never;   /** As the mutation createProfile. */
  createProfile: CreateProfileChange; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignProfile?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never;   /** As the mutation createRole. */
  createRole: CreateRoleChange; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignProfile?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never;   /** As the mutation createUser. */
  createUser: CreateUserChange; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignProfile?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never;   /** As the mutation deactivateAccessScope. */
  deactivateAccessScope: DeactivateAccessScopeChange; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignProfile?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never;   /** As the mutation deactivateAccessScopeType. */
  deactivateAccessScopeType: DeactivateAccessScopeTypeChange; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignProfile?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never;   /** As the mutation deactivateUser. */
  deactivateUser: DeactivateUserChange; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignProfile?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never;   /** As the mutation deleteAccessScopeApplicationsMappers. */
  deleteAccessScopeApplicationsMappers: DeleteAccessScopeApplicationsMappersChange; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignProfile?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never;   /** As the mutation deleteAccessScopeTypeApplicationsMappers. */
  deleteAccessScopeTypeApplicationsMappers: DeleteAccessScopeTypeApplicationsMappersChange; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignProfile?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never;   /** As the mutation deleteProfile. */
  deleteProfile: DeleteProfileChange; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignProfile?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never;   /** As the mutation deleteRole. */
  deleteRole: DeleteRoleChange; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignProfile?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never;   /** A cell of a grid of applications and access scopes, or their types. */
  mapping: MappingChangeInput; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignProfile?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never;   /** As the mutation setProfileAccessScopes. */
  setProfileAccessScopes: SetProfileAccessScopesChange; setTranslations?: never; translation?: never; unassignProfile?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignProfile?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never;   /** As the mutation setTranslations. */
  setTranslations: SetTranslationsChange; translation?: never; unassignProfile?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignProfile?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never;   /** A cell of a grid of texts and languages. */
  translation: TranslationChangeInput; unassignProfile?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignProfile?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never;   /** As the mutation unassignProfile. */
  unassignProfile: UnassignProfileChange; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignProfile?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never;   /** As the mutation updateAccessScope. */
  updateAccessScope: UpdateAccessScopeChange; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignProfile?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; updateAccessScope?: never;   /** As the mutation updateAccessScopeApplicationsMappers. */
  updateAccessScopeApplicationsMappers: UpdateAccessScopeApplicationsMappersChange; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignProfile?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never;   /** As the mutation updateAccessScopeType. */
  updateAccessScopeType: UpdateAccessScopeTypeChange; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignProfile?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never;   /** As the mutation updateAccessScopeTypeApplicationsMappers. */
  updateAccessScopeTypeApplicationsMappers: UpdateAccessScopeTypeApplicationsMappersChange; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignProfile?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never;   /** As the mutation updateApplication. */
  updateApplication: UpdateApplicationChange; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignProfile?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never;   /** As the mutation updateProfile. */
  updateProfile: UpdateProfileChange; updateRole?: never; updateUser?: never; }
  |  { assignProfile?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never;   /** As the mutation updateRole. */
  updateRole: UpdateRoleChange; updateUser?: never; }
  |  { assignProfile?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never;   /** As the mutation updateUser. */
  updateUser: UpdateUserChange; };

/** Conditions on ChangeSet records; all given ones must hold. */
export type ChangeSetFilter = {
  /** Guid of the user who made it. */
  actor?: UUIDFilter | null | undefined;
  /** The user who made it; null when not known here. Requires admin:read. */
  actorNavigation?: UserFilter | null | undefined;
  /** All of these hold. */
  and?: Array<ChangeSetFilter> | null | undefined;
  /** Guid of the change set. */
  changeSetGuid?: UUIDFilter | null | undefined;
  /** What was done to which records; null without admin:security. */
  events?: AuditEventListFilter | null | undefined;
  /** How it came: `graphql`, `rest`, `cli`, or `sql` for statements past the service. */
  face?: StringFilter | null | undefined;
  /** Name of the file in git that it applied; null: none. */
  managedBy?: StringFilter | null | undefined;
  /** This does not hold. */
  not?: ChangeSetFilter | null | undefined;
  /** Why, in the words of its maker. */
  note?: StringFilter | null | undefined;
  /** When it was committed. */
  occurredAt?: DateTimeFilter | null | undefined;
  /** At least one of these holds. */
  or?: Array<ChangeSetFilter> | null | undefined;
  /** Trace id of the request. */
  traceId?: StringFilter | null | undefined;
  /** The change set that it undoes. */
  undoes?: ChangeSetFilter | null | undefined;
  /** What became of which records, field by field; null of a dry run. */
  versions?: RecordVersionListFilter | null | undefined;
};

/** Conditions on Client records; all given ones must hold. */
export type ClientFilter = {
  /** Audiences that its tokens may have, with spaces between, of `AUDIENCES` and `ADMIN_AUDIENCE`; null: all. */
  allowedAudiences?: StringFilter | null | undefined;
  /** All of these hold. */
  and?: Array<ClientFilter> | null | undefined;
  /** Id of the client. */
  clientId?: StringFilter | null | undefined;
  /** When it was made. */
  createdAt?: DateTimeFilter | null | undefined;
  /** What it is for. */
  description?: StringFilter | null | undefined;
  /** Whether its tokens must be bound to a key (DPoP). */
  dpopRequired?: BooleanFilter | null | undefined;
  /** Whether it may ask for tokens. */
  isActive?: BooleanFilter | null | undefined;
  /** Last use of its keys, to the minute. */
  keysLastUsedAt?: DateTimeFilter | null | undefined;
  /** Whether it may ask for decisions about every user (AuthZEN). */
  mayEvaluate?: BooleanFilter | null | undefined;
  /** Name shown to people. */
  name?: StringFilter | null | undefined;
  /** This does not hold. */
  not?: ClientFilter | null | undefined;
  /** At least one of these holds. */
  or?: Array<ClientFilter> | null | undefined;
  /** The policy that its requests and tokens are judged by: hardened; null: that of the service (TOKEN_POLICY). */
  policy?: StringFilter | null | undefined;
  /** When the secret before the rotation stops working. */
  previousSecretEndsAt?: DateTimeFilter | null | undefined;
  /** Last use of the previous secret, to the minute. */
  previousSecretLastUsedAt?: DateTimeFilter | null | undefined;
  /** Raised by each change; send it back as ifRevision. */
  revision?: IntFilter | null | undefined;
  /** Last use of the secret, to the minute. */
  secretLastUsedAt?: DateTimeFilter | null | undefined;
  /** Every word is a part of name or clientId; accents and case do not count. */
  text?: string | null | undefined;
};

/** One ordering: exactly one member is given. */
export type ClientOrderBy = {
  /** Audiences that its tokens may have, with spaces between, of `AUDIENCES` and `ADMIN_AUDIENCE`; null: all. */
  allowedAudiences?: Direction | null | undefined;
  /** Id of the client. */
  clientId?: Direction | null | undefined;
  /** When it was made. */
  createdAt?: Direction | null | undefined;
  /** What it is for. */
  description?: Direction | null | undefined;
  /** Whether its tokens must be bound to a key (DPoP). */
  dpopRequired?: Direction | null | undefined;
  /** Whether it may ask for tokens. */
  isActive?: Direction | null | undefined;
  /** Last use of its keys, to the minute. */
  keysLastUsedAt?: Direction | null | undefined;
  /** Whether it may ask for decisions about every user (AuthZEN). */
  mayEvaluate?: Direction | null | undefined;
  /** Name shown to people. */
  name?: Direction | null | undefined;
  /** The policy that its requests and tokens are judged by: hardened; null: that of the service (TOKEN_POLICY). */
  policy?: Direction | null | undefined;
  /** When the secret before the rotation stops working. */
  previousSecretEndsAt?: Direction | null | undefined;
  /** Last use of the previous secret, to the minute. */
  previousSecretLastUsedAt?: Direction | null | undefined;
  /** Raised by each change; send it back as ifRevision. */
  revision?: Direction | null | undefined;
  /** Last use of the secret, to the minute. */
  secretLastUsedAt?: Direction | null | undefined;
};

/** The arguments of createAccessScopeApplicationsMappers. */
export type CreateAccessScopeApplicationsMappersChange = {
  /** Guid of the application. */
  applicationGuid: string;
  /** The mappings. */
  items: Array<AccessScopeApplicationsMapperCreateInput>;
};

/** The arguments of createAccessScope. */
export type CreateAccessScopeChange = {
  /** Its fields. */
  input: CreateAccessScopeInput;
};

/** A new AccessScope. */
export type CreateAccessScopeInput = {
  /** Guid of the access scope. */
  accessScopeGuid?: string | null | undefined;
  /** Key in the `scopes` claim, without white space, control or format characters, quotes or backslashes; not `*`. */
  accessScopeKey?: string | null | undefined;
  /** Guid of the access scope type. */
  accessScopeTypeGuid: string;
  /** Number of what it stands for; in the claim when there is no key. */
  concreteId?: number | null | undefined;
  /** What it is for. */
  description?: string | null | undefined;
  /** Whether it is in use; an inactive one is in no token. */
  isActive?: boolean | null | undefined;
  /** Whether it stands for every scope of its type. */
  isWildcard?: boolean | null | undefined;
  /** Name shown to people. */
  name: string;
  /** Group of its translations. */
  translationGroup?: string | null | undefined;
};

/** The arguments of createAccessScopeTypeApplicationsMappers. */
export type CreateAccessScopeTypeApplicationsMappersChange = {
  /** Guid of the application. */
  applicationGuid: string;
  /** The mappings. */
  items: Array<AccessScopeTypeApplicationsMapperCreateInput>;
};

/** The arguments of createAccessScopeType. */
export type CreateAccessScopeTypeChange = {
  /** Its fields. */
  input: CreateAccessScopeTypeInput;
};

/** A new AccessScopeType. */
export type CreateAccessScopeTypeInput = {
  /** Guid of the access scope type. */
  accessScopeTypeGuid?: string | null | undefined;
  /** What it is for. */
  description?: string | null | undefined;
  /** Whether it is in use; the scopes of one out of use are in no token. */
  isActive?: boolean | null | undefined;
  /** Name, unique; without colon, white space, control or format characters, quotes or backslashes; not like `admin`. */
  name: string;
  /** Group of its translations. */
  translationGroup?: string | null | undefined;
};

/** The arguments of createApplication. */
export type CreateApplicationChange = {
  /** Its fields. */
  input: CreateApplicationInput;
};

/** A new Application. */
export type CreateApplicationInput = {
  /** Kind of application. */
  appType: string;
  /** Guid of the application. */
  applicationGuid?: string | null | undefined;
  /** What it is for. */
  description?: string | null | undefined;
  /** Link where no individual one is set. */
  globalExternalLink?: string | null | undefined;
  /** Icon at rest. */
  iconDefault: string;
  /** Icon under the pointer. */
  iconHover: string;
  /** Whether it is shown in an iframe. */
  isIframe?: boolean | null | undefined;
  /** Whether it needs a token exchange. */
  isTokenExchangeRequired?: boolean | null | undefined;
  /** How its link opens. */
  linkType: string;
  /** Name shown to people. */
  name: string;
  /** How it is rendered. */
  renderingMode: string;
  /** Group of its translations. */
  translationGroup?: string | null | undefined;
};

/** A new client; it is active. */
export type CreateClientInput = {
  /** Audiences that its tokens may have, with spaces between, of `AUDIENCES` and `ADMIN_AUDIENCE`; null: all. */
  allowedAudiences?: string | null | undefined;
  /** Id of the client. */
  clientId: string;
  /** What it is for. */
  description?: string | null | undefined;
  /** Whether its tokens must be bound to a key (DPoP). */
  dpopRequired?: boolean | null | undefined;
  /** Public keys by which it proves itself in forms: a JSON Web Key Set as text; null: none. */
  jwks?: string | null | undefined;
  /** Where its public keys are fetched, in place of jwks; null: nowhere. */
  jwksUri?: string | null | undefined;
  /** Whether it may ask for decisions about every user (AuthZEN). */
  mayEvaluate?: boolean | null | undefined;
  /** Name shown to people. */
  name: string;
  /** The policy that its requests and tokens are judged by: hardened; null: that of the service (TOKEN_POLICY). */
  policy?: string | null | undefined;
};

/** The arguments of createProfile. */
export type CreateProfileChange = {
  /** Its fields. */
  input: CreateProfileInput;
};

/** A new Profile. */
export type CreateProfileInput = {
  /** What it is for. */
  description?: string | null | undefined;
  /** Name shown to people. */
  name: string;
  /** Id of the profile. */
  profileId: string;
};

/** The arguments of createRole. */
export type CreateRoleChange = {
  /** Its fields. */
  input: CreateRoleInput;
};

/** A new Role. */
export type CreateRoleInput = {
  /** What it is for. */
  description?: string | null | undefined;
  /** Name shown to people. */
  name: string;
  /** Id of the role. */
  roleId: string;
};

/** The arguments of createUser. */
export type CreateUserChange = {
  /** Its fields. */
  input: CreateUserInput;
};

/** A new User. */
export type CreateUserInput = {
  /** When the terms of use were accepted. */
  anbacceptanceDate?: string | null | undefined;
  /** Version of the terms of use that was accepted. */
  anbversion?: string | null | undefined;
  /** The customer support assigned. */
  assignedCustomerSupportGuid?: string | null | undefined;
  /** Department. */
  department?: string | null | undefined;
  /** E-mail address. */
  email?: string | null | undefined;
  /** What e-mail is subscribed to. */
  emailSubscriptions?: string | null | undefined;
  /** First name. */
  firstName?: string | null | undefined;
  /** The user at that identity provider. */
  idpid?: string | null | undefined;
  /** Name of the identity provider that knows the user. */
  idpname?: string | null | undefined;
  /** When the user was invited. */
  invitationDate?: string | null | undefined;
  /** The user who invited this one. */
  invitedBy?: string | null | undefined;
  /** Whether exchange and renewal are refused. */
  isBlocked?: boolean | null | undefined;
  /** Job title. */
  jobTitle?: string | null | undefined;
  /** Addition to the job title. */
  jobTitleAdditional?: string | null | undefined;
  /** Job title, as a number. */
  jobTitleId?: number | null | undefined;
  /** Preferred language. */
  languagePreference?: string | null | undefined;
  /** Last name. */
  lastName?: string | null | undefined;
  /** How to be notified. */
  notificationOptions?: string | null | undefined;
  /** Form of address. */
  salutation?: string | null | undefined;
  /** Status, in words. */
  status?: string | null | undefined;
  /** Status, as a number. */
  statusId?: number | null | undefined;
  /** Telephone number. */
  telephone?: string | null | undefined;
  /** Academic or other title. */
  title?: string | null | undefined;
  /** What user interfaces remember. */
  uipreferences?: string | null | undefined;
  /** Guid of the user: the `sub` of tokens. */
  userGuid?: string | null | undefined;
};

/** Conditions on a moment; all given ones must hold. */
export type DateTimeFilter = {
  /** Equal; null: has no value. */
  eq?: string | null | undefined;
  /** Greater or equal; texts compare by code point. */
  ge?: string | null | undefined;
  /** Greater; texts compare by code point. */
  gt?: string | null | undefined;
  /** Equal to one of these. */
  in?: Array<string> | null | undefined;
  /** Whether it has no value. */
  isNull?: boolean | null | undefined;
  /** Less or equal; texts compare by code point. */
  le?: string | null | undefined;
  /** Less; texts compare by code point. */
  lt?: string | null | undefined;
  /** Not equal, having no value included; null: has a value. */
  ne?: string | null | undefined;
  /** Equal to none of these, having no value included. */
  notIn?: Array<string> | null | undefined;
};

/** The arguments of deactivateAccessScope. */
export type DeactivateAccessScopeChange = {
  /** Guid of the access scope. */
  accessScopeGuid: string;
  /** The revision that was read: somebody else’s change since then is not overwritten, but answered with CONFLICT. */
  ifRevision?: number | null | undefined;
};

/** The arguments of deactivateAccessScopeType. */
export type DeactivateAccessScopeTypeChange = {
  /** Guid of the access scope type. */
  accessScopeTypeGuid: string;
  /** The revision that was read: somebody else’s change since then is not overwritten, but answered with CONFLICT. */
  ifRevision?: number | null | undefined;
};

/** The arguments of deactivateUser. */
export type DeactivateUserChange = {
  /** The revision that was read: somebody else’s change since then is not overwritten, but answered with CONFLICT. */
  ifRevision?: number | null | undefined;
  /** Guid of the user: the `sub` of tokens. */
  userGuid: string;
};

/** The arguments of deleteAccessScopeApplicationsMappers. */
export type DeleteAccessScopeApplicationsMappersChange = {
  /** Guid of the access scope. */
  accessScopeGuids: Array<string>;
  /** Guid of the application. */
  applicationGuid: string;
  /** The revisions that were read, in the order of the guids: what somebody else changed since is answered with CONFLICT. */
  ifRevisions?: Array<number> | null | undefined;
};

/** The arguments of deleteAccessScopeTypeApplicationsMappers. */
export type DeleteAccessScopeTypeApplicationsMappersChange = {
  /** Guid of the access scope type. */
  accessScopeTypeGuids: Array<string>;
  /** Guid of the application. */
  applicationGuid: string;
  /** The revisions that were read, in the order of the guids: what somebody else changed since is answered with CONFLICT. */
  ifRevisions?: Array<number> | null | undefined;
};

/** The arguments of deleteProfile. */
export type DeleteProfileChange = {
  /** The revision that was read: somebody else’s change since then is not overwritten, but answered with CONFLICT. */
  ifRevision?: number | null | undefined;
  /** Id of the profile. */
  profileId: string;
};

/** The arguments of deleteRole. */
export type DeleteRoleChange = {
  /** The revision that was read: somebody else’s change since then is not overwritten, but answered with CONFLICT. */
  ifRevision?: number | null | undefined;
  /** Id of the role. */
  roleId: string;
};

/** Which way an ordering goes. */
export type Direction =
  /** Smallest first; those without a value before all. */
  | 'ASC'
  /** Greatest first; those without a value after all. */
  | 'DESC';

/** Conditions on the number of a record; all given ones must hold. */
export type IDFilter = {
  /** Equal; null: has no value. */
  eq?: string | null | undefined;
  /** Greater or equal; texts compare by code point. */
  ge?: string | null | undefined;
  /** Greater; texts compare by code point. */
  gt?: string | null | undefined;
  /** Equal to one of these. */
  in?: Array<string> | null | undefined;
  /** Whether it has no value. */
  isNull?: boolean | null | undefined;
  /** Less or equal; texts compare by code point. */
  le?: string | null | undefined;
  /** Less; texts compare by code point. */
  lt?: string | null | undefined;
  /** Not equal, having no value included; null: has a value. */
  ne?: string | null | undefined;
  /** Equal to none of these, having no value included. */
  notIn?: Array<string> | null | undefined;
};

/** Conditions on a whole number; all given ones must hold. */
export type IntFilter = {
  /** Equal; null: has no value. */
  eq?: number | null | undefined;
  /** Greater or equal; texts compare by code point. */
  ge?: number | null | undefined;
  /** Greater; texts compare by code point. */
  gt?: number | null | undefined;
  /** Equal to one of these. */
  in?: Array<number> | null | undefined;
  /** Whether it has no value. */
  isNull?: boolean | null | undefined;
  /** Less or equal; texts compare by code point. */
  le?: number | null | undefined;
  /** Less; texts compare by code point. */
  lt?: number | null | undefined;
  /** Not equal, having no value included; null: has a value. */
  ne?: number | null | undefined;
  /** Equal to none of these, having no value included. */
  notIn?: Array<number> | null | undefined;
};

/** A mapping, as it was read and as it is wanted. */
export type MappingChangeInput = {
  /** Guid of the access scope; or of its type, exactly one of them. */
  accessScopeGuid?: string | null | undefined;
  /** Guid of the access scope type. */
  accessScopeTypeGuid?: string | null | undefined;
  /** Guid of the application. */
  applicationGuid: string;
  /** The state that was read, null for no mapping: CONFLICT when it is another. */
  from?: string | null | undefined;
  /** Link of this scope instead of the global one. */
  individualExternalLink?: string | null | undefined;
  /** The state that is wanted, null for no mapping. */
  to?: string | null | undefined;
};

/** Whether a client is ready for the hardened policy. */
export type PolicyReadinessState =
  /** It is judged by the hardened policy already. */
  | 'HARDENED'
  /** The hardened policy would have refused requests of it. */
  | 'NOT_READY'
  /** Nothing of it was judged: it was not there, or there was no rehearsal. */
  | 'NOT_SEEN'
  /** Its requests were judged, and none would have been refused. */
  | 'READY';

/** Why the hardened policy would refuse a request, or end its session. */
export type PolicyReason =
  /** The client uses a renewal token of another client. */
  | 'ANOTHER_CLIENT'
  /** The client renews with a profileId that is not the token’s. */
  | 'ANOTHER_PROFILE'
  /** The client sends no client credentials. */
  | 'NO_CREDENTIALS'
  /** The client exchanges an ID token more than once for the same profile. */
  | 'REPEATED_ID_TOKEN'
  /** The client presents a renewal token that was already used. */
  | 'REUSE'
  /** The client sends wrong client credentials. */
  | 'WRONG_CREDENTIALS';

/** Conditions on ProfileAccessScope records; all given ones must hold. */
export type ProfileAccessScopeFilter = {
  /** The access scope. */
  accessScope?: AccessScopeFilter | null | undefined;
  /** Number of the access scope. */
  accessScopeId?: IntFilter | null | undefined;
  /** All of these hold. */
  and?: Array<ProfileAccessScopeFilter> | null | undefined;
  /** Guid of the user who made the record. */
  createdBy?: UUIDFilter | null | undefined;
  /** The user who made the record; null when that user is not known here. */
  createdByNavigation?: UserFilter | null | undefined;
  /** When the record was made. */
  createdDate?: DateTimeFilter | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: UUIDFilter | null | undefined;
  /** The user who last changed the record; null when there is none, or not known here. */
  modifiedByNavigation?: UserFilter | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: DateTimeFilter | null | undefined;
  /** This does not hold. */
  not?: ProfileAccessScopeFilter | null | undefined;
  /** At least one of these holds. */
  or?: Array<ProfileAccessScopeFilter> | null | undefined;
  /** The profile. */
  profile?: ProfileFilter | null | undefined;
  /** Number of the link. */
  profileAccessScopeId?: IntFilter | null | undefined;
  /** Id of the profile. */
  profileId?: StringFilter | null | undefined;
  /** Raised by each change; send it back as ifRevision. */
  revision?: IntFilter | null | undefined;
};

/** Conditions on related records. */
export type ProfileAccessScopeListFilter = {
  /** No related record passes. */
  none?: ProfileAccessScopeFilter | null | undefined;
  /** At least one related record passes. */
  some?: ProfileAccessScopeFilter | null | undefined;
};

/** Conditions on Profile records; all given ones must hold. */
export type ProfileFilter = {
  /** All of these hold. */
  and?: Array<ProfileFilter> | null | undefined;
  /** Guid of the user who made the record. */
  createdBy?: UUIDFilter | null | undefined;
  /** The user who made the record; null when that user is not known here. */
  createdByNavigation?: UserFilter | null | undefined;
  /** When the record was made. */
  createdDate?: DateTimeFilter | null | undefined;
  /** What it is for. */
  description?: StringFilter | null | undefined;
  /** Name of the file in git that manages it; null: none. */
  managedBy?: StringFilter | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: UUIDFilter | null | undefined;
  /** The user who last changed the record; null when there is none, or not known here. */
  modifiedByNavigation?: UserFilter | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: DateTimeFilter | null | undefined;
  /** Name shown to people. */
  name?: StringFilter | null | undefined;
  /** This does not hold. */
  not?: ProfileFilter | null | undefined;
  /** At least one of these holds. */
  or?: Array<ProfileFilter> | null | undefined;
  /** The access scopes of the profile. */
  profileAccessScopes?: ProfileAccessScopeListFilter | null | undefined;
  /** Id of the profile. */
  profileId?: StringFilter | null | undefined;
  /** Raised by each change; send it back as ifRevision. */
  revision?: IntFilter | null | undefined;
  /** Every word is a part of name or profileId; accents and case do not count. */
  text?: string | null | undefined;
  /** Who holds the profile, in which role. */
  userProfiles?: UserProfileListFilter | null | undefined;
};

/** One ordering: exactly one member is given. */
export type ProfileOrderBy = {
  /** Guid of the user who made the record. */
  createdBy?: Direction | null | undefined;
  /** The user who made the record; null when that user is not known here. */
  createdByNavigation?: UserOrderBy | null | undefined;
  /** When the record was made. */
  createdDate?: Direction | null | undefined;
  /** What it is for. */
  description?: Direction | null | undefined;
  /** Name of the file in git that manages it; null: none. */
  managedBy?: Direction | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: Direction | null | undefined;
  /** The user who last changed the record; null when there is none, or not known here. */
  modifiedByNavigation?: UserOrderBy | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: Direction | null | undefined;
  /** Name shown to people. */
  name?: Direction | null | undefined;
  /** Id of the profile. */
  profileId?: Direction | null | undefined;
  /** Raised by each change; send it back as ifRevision. */
  revision?: Direction | null | undefined;
};

/** Conditions on RecordVersion records; all given ones must hold. */
export type RecordVersionFilter = {
  /** All of these hold. */
  and?: Array<RecordVersionFilter> | null | undefined;
  /** The change set. */
  changeSet?: ChangeSetFilter | null | undefined;
  /** This does not hold. */
  not?: RecordVersionFilter | null | undefined;
  /** At least one of these holds. */
  or?: Array<RecordVersionFilter> | null | undefined;
  /** Guid, id or number of the record, as audit events name it. */
  recordKey?: StringFilter | null | undefined;
  /** Table of the record. */
  recordTable?: StringFilter | null | undefined;
  /** Number of the version; of one record in their order. */
  recordVersionId?: IDFilter | null | undefined;
};

/** Conditions on related records. */
export type RecordVersionListFilter = {
  /** No related record passes. */
  none?: RecordVersionFilter | null | undefined;
  /** At least one related record passes. */
  some?: RecordVersionFilter | null | undefined;
};

/** Conditions on Role records; all given ones must hold. */
export type RoleFilter = {
  /** All of these hold. */
  and?: Array<RoleFilter> | null | undefined;
  /** Guid of the user who made the record. */
  createdBy?: UUIDFilter | null | undefined;
  /** The user who made the record; null when that user is not known here. */
  createdByNavigation?: UserFilter | null | undefined;
  /** When the record was made. */
  createdDate?: DateTimeFilter | null | undefined;
  /** What it is for. */
  description?: StringFilter | null | undefined;
  /** Name of the file in git that manages it; null: none. */
  managedBy?: StringFilter | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: UUIDFilter | null | undefined;
  /** The user who last changed the record; null when there is none, or not known here. */
  modifiedByNavigation?: UserFilter | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: DateTimeFilter | null | undefined;
  /** Name shown to people. */
  name?: StringFilter | null | undefined;
  /** This does not hold. */
  not?: RoleFilter | null | undefined;
  /** At least one of these holds. */
  or?: Array<RoleFilter> | null | undefined;
  /** Raised by each change; send it back as ifRevision. */
  revision?: IntFilter | null | undefined;
  /** Id of the role. */
  roleId?: StringFilter | null | undefined;
  /** Every word is a part of name or roleId; accents and case do not count. */
  text?: string | null | undefined;
  /** Who has the role, in which profile. */
  userProfiles?: UserProfileListFilter | null | undefined;
};

/** One ordering: exactly one member is given. */
export type RoleOrderBy = {
  /** Guid of the user who made the record. */
  createdBy?: Direction | null | undefined;
  /** The user who made the record; null when that user is not known here. */
  createdByNavigation?: UserOrderBy | null | undefined;
  /** When the record was made. */
  createdDate?: Direction | null | undefined;
  /** What it is for. */
  description?: Direction | null | undefined;
  /** Name of the file in git that manages it; null: none. */
  managedBy?: Direction | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: Direction | null | undefined;
  /** The user who last changed the record; null when there is none, or not known here. */
  modifiedByNavigation?: UserOrderBy | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: Direction | null | undefined;
  /** Name shown to people. */
  name?: Direction | null | undefined;
  /** Raised by each change; send it back as ifRevision. */
  revision?: Direction | null | undefined;
  /** Id of the role. */
  roleId?: Direction | null | undefined;
};

/** Kind of a record that a search finds. */
export type SearchKind =
  /** An access scope, by name and key. */
  | 'ACCESS_SCOPE'
  /** An access scope type, by its name. */
  | 'ACCESS_SCOPE_TYPE'
  /** An application, by its name. */
  | 'APPLICATION'
  /** A change set, by its guid or its trace id. */
  | 'CHANGE_SET'
  /** A client, by name and id. */
  | 'CLIENT'
  /** A profile, by name and id. */
  | 'PROFILE'
  /** A role, by name and id. */
  | 'ROLE'
  /** A user, by names, e-mail and id at the identity provider. */
  | 'USER';

/** The arguments of setProfileAccessScopes. */
export type SetProfileAccessScopesChange = {
  /** Guid of the access scope. */
  accessScopeGuids: Array<string>;
  /** The revision that was read: somebody else’s change since then is not overwritten, but answered with CONFLICT. */
  ifRevision?: number | null | undefined;
  /** Id of the profile. */
  profileId: string;
};

/** The arguments of setTranslations. */
export type SetTranslationsChange = {
  /** The revision of the group that was read, 0 for one without texts: CONFLICT when its texts are others now. */
  ifRevision?: number | null | undefined;
  /** Group that records name as theirs. */
  translationGroup: string;
  /** All texts of the group. */
  translations: Array<TranslationInput>;
};

/** Conditions on a text; all given ones must hold. */
export type StringFilter = {
  /** Holds this text. */
  contains?: string | null | undefined;
  /** Ends with this text. */
  endsWith?: string | null | undefined;
  /** Equal; null: has no value. */
  eq?: string | null | undefined;
  /** Greater or equal; texts compare by code point. */
  ge?: string | null | undefined;
  /** Greater; texts compare by code point. */
  gt?: string | null | undefined;
  /** Compare in lower case; absent: as it is. */
  ignoreCase?: boolean | null | undefined;
  /** Equal to one of these. */
  in?: Array<string> | null | undefined;
  /** Whether it has no value. */
  isNull?: boolean | null | undefined;
  /** Less or equal; texts compare by code point. */
  le?: string | null | undefined;
  /** Less; texts compare by code point. */
  lt?: string | null | undefined;
  /** Not equal, having no value included; null: has a value. */
  ne?: string | null | undefined;
  /** Equal to none of these, having no value included. */
  notIn?: Array<string> | null | undefined;
  /** Begins with this text. */
  startsWith?: string | null | undefined;
};

/** A text, as it was read and as it is wanted. */
export type TranslationChangeInput = {
  /** Field that it translates. */
  fieldName: string;
  /** The text that was read, null for none: CONFLICT when it is another. */
  from?: string | null | undefined;
  /** Language, such as `en` or `pt-BR`. */
  languageCode: string;
  /** The text that is wanted, null for none. */
  to?: string | null | undefined;
  /** Group that records name as theirs. */
  translationGroup: string;
};

/** Conditions on Translation records; all given ones must hold. */
export type TranslationFilter = {
  /** All of these hold. */
  and?: Array<TranslationFilter> | null | undefined;
  /** Field that it translates. */
  fieldName?: StringFilter | null | undefined;
  /** Language, such as `en` or `pt-BR`. */
  languageCode?: StringFilter | null | undefined;
  /** Name of the file in git that manages it; null: none. */
  managedBy?: StringFilter | null | undefined;
  /** This does not hold. */
  not?: TranslationFilter | null | undefined;
  /** At least one of these holds. */
  or?: Array<TranslationFilter> | null | undefined;
  /** The text. */
  translatedText?: StringFilter | null | undefined;
  /** Group that records name as theirs. */
  translationGroup?: StringFilter | null | undefined;
};

/** A text in one language. */
export type TranslationInput = {
  /** Field that it translates. */
  fieldName: string;
  /** Language, such as `en` or `pt-BR`. */
  languageCode: string;
  /** The text. */
  translatedText: string;
};

/** Conditions on related records. */
export type TranslationListFilter = {
  /** No related record passes. */
  none?: TranslationFilter | null | undefined;
  /** At least one related record passes. */
  some?: TranslationFilter | null | undefined;
};

/** Conditions on a guid; all given ones must hold. */
export type UUIDFilter = {
  /** Equal; null: has no value. */
  eq?: string | null | undefined;
  /** Equal to one of these. */
  in?: Array<string> | null | undefined;
  /** Whether it has no value. */
  isNull?: boolean | null | undefined;
  /** Not equal, having no value included; null: has a value. */
  ne?: string | null | undefined;
  /** Equal to none of these, having no value included. */
  notIn?: Array<string> | null | undefined;
};

/** The arguments of unassignProfile. */
export type UnassignProfileChange = {
  /** The revision that was read: somebody else’s change since then is not overwritten, but answered with CONFLICT. */
  ifRevision?: number | null | undefined;
  /** Id of the profile. */
  profileId: string;
  /** Id of the role. */
  roleId: string;
  /** Guid of the user: the `sub` of tokens. */
  userGuid: string;
};

/** The arguments of updateAccessScopeApplicationsMappers. */
export type UpdateAccessScopeApplicationsMappersChange = {
  /** Guid of the application. */
  applicationGuid: string;
  /** The mappings. */
  items: Array<AccessScopeApplicationsMapperUpdateInput>;
};

/** The arguments of updateAccessScope. */
export type UpdateAccessScopeChange = {
  /** Guid of the access scope. */
  accessScopeGuid: string;
  /** The revision that was read: somebody else’s change since then is not overwritten, but answered with CONFLICT. */
  ifRevision?: number | null | undefined;
  /** What to change. */
  input: UpdateAccessScopeInput;
};

/** What to change: an absent field stays, null clears. */
export type UpdateAccessScopeInput = {
  /** Key in the `scopes` claim, without white space, control or format characters, quotes or backslashes; not `*`. */
  accessScopeKey?: string | null | undefined;
  /** Guid of the access scope type. */
  accessScopeTypeGuid?: string | null | undefined;
  /** Number of what it stands for; in the claim when there is no key. */
  concreteId?: number | null | undefined;
  /** What it is for. */
  description?: string | null | undefined;
  /** Whether it is in use; an inactive one is in no token. */
  isActive?: boolean | null | undefined;
  /** Whether it stands for every scope of its type. */
  isWildcard?: boolean | null | undefined;
  /** Name shown to people. */
  name?: string | null | undefined;
  /** Group of its translations. */
  translationGroup?: string | null | undefined;
};

/** The arguments of updateAccessScopeTypeApplicationsMappers. */
export type UpdateAccessScopeTypeApplicationsMappersChange = {
  /** Guid of the application. */
  applicationGuid: string;
  /** The mappings. */
  items: Array<AccessScopeTypeApplicationsMapperUpdateInput>;
};

/** The arguments of updateAccessScopeType. */
export type UpdateAccessScopeTypeChange = {
  /** Guid of the access scope type. */
  accessScopeTypeGuid: string;
  /** The revision that was read: somebody else’s change since then is not overwritten, but answered with CONFLICT. */
  ifRevision?: number | null | undefined;
  /** What to change. */
  input: UpdateAccessScopeTypeInput;
};

/** What to change: an absent field stays, null clears. */
export type UpdateAccessScopeTypeInput = {
  /** What it is for. */
  description?: string | null | undefined;
  /** Whether it is in use; the scopes of one out of use are in no token. */
  isActive?: boolean | null | undefined;
  /** Name, unique; without colon, white space, control or format characters, quotes or backslashes; not like `admin`. */
  name?: string | null | undefined;
  /** Group of its translations. */
  translationGroup?: string | null | undefined;
};

/** The arguments of updateApplication. */
export type UpdateApplicationChange = {
  /** Guid of the application. */
  applicationGuid: string;
  /** The revision that was read: somebody else’s change since then is not overwritten, but answered with CONFLICT. */
  ifRevision?: number | null | undefined;
  /** What to change. */
  input: UpdateApplicationInput;
};

/** What to change: an absent field stays, null clears. */
export type UpdateApplicationInput = {
  /** Kind of application. */
  appType?: string | null | undefined;
  /** What it is for. */
  description?: string | null | undefined;
  /** Link where no individual one is set. */
  globalExternalLink?: string | null | undefined;
  /** Icon at rest. */
  iconDefault?: string | null | undefined;
  /** Icon under the pointer. */
  iconHover?: string | null | undefined;
  /** Whether it is in use. */
  isActive?: boolean | null | undefined;
  /** Whether it is shown in an iframe. */
  isIframe?: boolean | null | undefined;
  /** Whether it needs a token exchange. */
  isTokenExchangeRequired?: boolean | null | undefined;
  /** How its link opens. */
  linkType?: string | null | undefined;
  /** Name shown to people. */
  name?: string | null | undefined;
  /** How it is rendered. */
  renderingMode?: string | null | undefined;
  /** Group of its translations. */
  translationGroup?: string | null | undefined;
};

/** What to change: an absent field stays, null clears. */
export type UpdateClientInput = {
  /** Audiences that its tokens may have, with spaces between, of `AUDIENCES` and `ADMIN_AUDIENCE`; null: all. */
  allowedAudiences?: string | null | undefined;
  /** What it is for. */
  description?: string | null | undefined;
  /** Whether its tokens must be bound to a key (DPoP). */
  dpopRequired?: boolean | null | undefined;
  /** Public keys by which it proves itself in forms: a JSON Web Key Set as text; null: none. */
  jwks?: string | null | undefined;
  /** Where its public keys are fetched, in place of jwks; null: nowhere. */
  jwksUri?: string | null | undefined;
  /** Whether it may ask for decisions about every user (AuthZEN). */
  mayEvaluate?: boolean | null | undefined;
  /** Name shown to people. */
  name?: string | null | undefined;
  /** The policy that its requests and tokens are judged by: hardened; null: that of the service (TOKEN_POLICY). */
  policy?: string | null | undefined;
};

/** The arguments of updateProfile. */
export type UpdateProfileChange = {
  /** The revision that was read: somebody else’s change since then is not overwritten, but answered with CONFLICT. */
  ifRevision?: number | null | undefined;
  /** What to change. */
  input: UpdateProfileInput;
  /** Id of the profile. */
  profileId: string;
};

/** What to change: an absent field stays, null clears. */
export type UpdateProfileInput = {
  /** What it is for. */
  description?: string | null | undefined;
  /** Name shown to people. */
  name?: string | null | undefined;
};

/** The arguments of updateRole. */
export type UpdateRoleChange = {
  /** The revision that was read: somebody else’s change since then is not overwritten, but answered with CONFLICT. */
  ifRevision?: number | null | undefined;
  /** What to change. */
  input: UpdateRoleInput;
  /** Id of the role. */
  roleId: string;
};

/** What to change: an absent field stays, null clears. */
export type UpdateRoleInput = {
  /** What it is for. */
  description?: string | null | undefined;
  /** Name shown to people. */
  name?: string | null | undefined;
};

/** The arguments of updateUser. */
export type UpdateUserChange = {
  /** The revision that was read: somebody else’s change since then is not overwritten, but answered with CONFLICT. */
  ifRevision?: number | null | undefined;
  /** What to change. */
  input: UpdateUserInput;
  /** Guid of the user: the `sub` of tokens. */
  userGuid: string;
};

/** What to change: an absent field stays, null clears. */
export type UpdateUserInput = {
  /** When the terms of use were accepted. */
  anbacceptanceDate?: string | null | undefined;
  /** Version of the terms of use that was accepted. */
  anbversion?: string | null | undefined;
  /** The customer support assigned. */
  assignedCustomerSupportGuid?: string | null | undefined;
  /** Department. */
  department?: string | null | undefined;
  /** E-mail address. */
  email?: string | null | undefined;
  /** What e-mail is subscribed to. */
  emailSubscriptions?: string | null | undefined;
  /** First name. */
  firstName?: string | null | undefined;
  /** The user at that identity provider. */
  idpid?: string | null | undefined;
  /** Name of the identity provider that knows the user. */
  idpname?: string | null | undefined;
  /** When the user was invited. */
  invitationDate?: string | null | undefined;
  /** The user who invited this one. */
  invitedBy?: string | null | undefined;
  /** Whether exchange and renewal are refused. */
  isBlocked?: boolean | null | undefined;
  /** Job title. */
  jobTitle?: string | null | undefined;
  /** Addition to the job title. */
  jobTitleAdditional?: string | null | undefined;
  /** Job title, as a number. */
  jobTitleId?: number | null | undefined;
  /** Preferred language. */
  languagePreference?: string | null | undefined;
  /** Last name. */
  lastName?: string | null | undefined;
  /** How to be notified. */
  notificationOptions?: string | null | undefined;
  /** Form of address. */
  salutation?: string | null | undefined;
  /** Status, in words. */
  status?: string | null | undefined;
  /** Status, as a number. */
  statusId?: number | null | undefined;
  /** Telephone number. */
  telephone?: string | null | undefined;
  /** Academic or other title. */
  title?: string | null | undefined;
  /** What user interfaces remember. */
  uipreferences?: string | null | undefined;
};

/** Conditions on User records; all given ones must hold. */
export type UserFilter = {
  /** When the terms of use were accepted. */
  anbacceptanceDate?: DateTimeFilter | null | undefined;
  /** Version of the terms of use that was accepted. */
  anbversion?: StringFilter | null | undefined;
  /** All of these hold. */
  and?: Array<UserFilter> | null | undefined;
  /** The customer support assigned. */
  assignedCustomerSupportGuid?: UUIDFilter | null | undefined;
  /** Guid of the user who made the record. */
  createdBy?: UUIDFilter | null | undefined;
  /** The user who made the record; null when that user is not known here. */
  createdByNavigation?: UserFilter | null | undefined;
  /** When the record was made. */
  createdDate?: DateTimeFilter | null | undefined;
  /** Department. */
  department?: StringFilter | null | undefined;
  /** E-mail address. */
  email?: StringFilter | null | undefined;
  /** What e-mail is subscribed to. */
  emailSubscriptions?: StringFilter | null | undefined;
  /** First name. */
  firstName?: StringFilter | null | undefined;
  /** The user at that identity provider. */
  idpid?: StringFilter | null | undefined;
  /** Name of the identity provider that knows the user. */
  idpname?: StringFilter | null | undefined;
  /** When the user was invited. */
  invitationDate?: DateTimeFilter | null | undefined;
  /** The user who invited this one. */
  invitedBy?: UUIDFilter | null | undefined;
  /** Whether exchange and renewal are refused. */
  isBlocked?: BooleanFilter | null | undefined;
  /** Job title. */
  jobTitle?: StringFilter | null | undefined;
  /** Addition to the job title. */
  jobTitleAdditional?: StringFilter | null | undefined;
  /** Job title, as a number. */
  jobTitleId?: IntFilter | null | undefined;
  /** Preferred language. */
  languagePreference?: StringFilter | null | undefined;
  /** Last exchange of an ID token, to the hour. */
  lastLoginDate?: DateTimeFilter | null | undefined;
  /** Last name. */
  lastName?: StringFilter | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: UUIDFilter | null | undefined;
  /** The user who last changed the record; null when there is none, or not known here. */
  modifiedByNavigation?: UserFilter | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: DateTimeFilter | null | undefined;
  /** This does not hold. */
  not?: UserFilter | null | undefined;
  /** How to be notified. */
  notificationOptions?: StringFilter | null | undefined;
  /** At least one of these holds. */
  or?: Array<UserFilter> | null | undefined;
  /** Raised by each change; send it back as ifRevision. */
  revision?: IntFilter | null | undefined;
  /** Form of address. */
  salutation?: StringFilter | null | undefined;
  /** Status, in words. */
  status?: StringFilter | null | undefined;
  /** Status, as a number. */
  statusId?: IntFilter | null | undefined;
  /** Telephone number. */
  telephone?: StringFilter | null | undefined;
  /** Every word is a part of firstName or lastName or email or idpid; accents and case do not count. */
  text?: string | null | undefined;
  /** Academic or other title. */
  title?: StringFilter | null | undefined;
  /** What user interfaces remember. */
  uipreferences?: StringFilter | null | undefined;
  /** Guid of the user: the `sub` of tokens. */
  userGuid?: UUIDFilter | null | undefined;
  /** Number of the user. */
  userId?: IntFilter | null | undefined;
  /** The profiles that the user holds. */
  userProfiles?: UserProfileListFilter | null | undefined;
};

/** One ordering: exactly one member is given. */
export type UserOrderBy = {
  /** When the terms of use were accepted. */
  anbacceptanceDate?: Direction | null | undefined;
  /** Version of the terms of use that was accepted. */
  anbversion?: Direction | null | undefined;
  /** The customer support assigned. */
  assignedCustomerSupportGuid?: Direction | null | undefined;
  /** Guid of the user who made the record. */
  createdBy?: Direction | null | undefined;
  /** The user who made the record; null when that user is not known here. */
  createdByNavigation?: UserOrderBy | null | undefined;
  /** When the record was made. */
  createdDate?: Direction | null | undefined;
  /** Department. */
  department?: Direction | null | undefined;
  /** E-mail address. */
  email?: Direction | null | undefined;
  /** What e-mail is subscribed to. */
  emailSubscriptions?: Direction | null | undefined;
  /** First name. */
  firstName?: Direction | null | undefined;
  /** The user at that identity provider. */
  idpid?: Direction | null | undefined;
  /** Name of the identity provider that knows the user. */
  idpname?: Direction | null | undefined;
  /** When the user was invited. */
  invitationDate?: Direction | null | undefined;
  /** The user who invited this one. */
  invitedBy?: Direction | null | undefined;
  /** Whether exchange and renewal are refused. */
  isBlocked?: Direction | null | undefined;
  /** Job title. */
  jobTitle?: Direction | null | undefined;
  /** Addition to the job title. */
  jobTitleAdditional?: Direction | null | undefined;
  /** Job title, as a number. */
  jobTitleId?: Direction | null | undefined;
  /** Preferred language. */
  languagePreference?: Direction | null | undefined;
  /** Last exchange of an ID token, to the hour. */
  lastLoginDate?: Direction | null | undefined;
  /** Last name. */
  lastName?: Direction | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: Direction | null | undefined;
  /** The user who last changed the record; null when there is none, or not known here. */
  modifiedByNavigation?: UserOrderBy | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: Direction | null | undefined;
  /** How to be notified. */
  notificationOptions?: Direction | null | undefined;
  /** Raised by each change; send it back as ifRevision. */
  revision?: Direction | null | undefined;
  /** Form of address. */
  salutation?: Direction | null | undefined;
  /** Status, in words. */
  status?: Direction | null | undefined;
  /** Status, as a number. */
  statusId?: Direction | null | undefined;
  /** Telephone number. */
  telephone?: Direction | null | undefined;
  /** Academic or other title. */
  title?: Direction | null | undefined;
  /** What user interfaces remember. */
  uipreferences?: Direction | null | undefined;
  /** Guid of the user: the `sub` of tokens. */
  userGuid?: Direction | null | undefined;
  /** Number of the user. */
  userId?: Direction | null | undefined;
};

/** Conditions on UserProfile records; all given ones must hold. */
export type UserProfileFilter = {
  /** All of these hold. */
  and?: Array<UserProfileFilter> | null | undefined;
  /** Guid of the user who made the record. */
  createdBy?: UUIDFilter | null | undefined;
  /** The user who made the record; null when that user is not known here. */
  createdByNavigation?: UserFilter | null | undefined;
  /** When the record was made. */
  createdDate?: DateTimeFilter | null | undefined;
  /** Name of the file in git that manages it; null: none. */
  managedBy?: StringFilter | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: UUIDFilter | null | undefined;
  /** The user who last changed the record; null when there is none, or not known here. */
  modifiedByNavigation?: UserFilter | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: DateTimeFilter | null | undefined;
  /** This does not hold. */
  not?: UserProfileFilter | null | undefined;
  /** At least one of these holds. */
  or?: Array<UserProfileFilter> | null | undefined;
  /** The profile. */
  profile?: ProfileFilter | null | undefined;
  /** Id of the profile. */
  profileId?: StringFilter | null | undefined;
  /** Raised by each change; send it back as ifRevision. */
  revision?: IntFilter | null | undefined;
  /** The role. */
  role?: RoleFilter | null | undefined;
  /** Id of the role. */
  roleId?: StringFilter | null | undefined;
  /** The user. */
  user?: UserFilter | null | undefined;
  /** Number of the user. */
  userId?: IntFilter | null | undefined;
  /** Number of the link; the lowest of several decides the role. */
  userProfileId?: IntFilter | null | undefined;
};

/** Conditions on related records. */
export type UserProfileListFilter = {
  /** No related record passes. */
  none?: UserProfileFilter | null | undefined;
  /** At least one related record passes. */
  some?: UserProfileFilter | null | undefined;
};

/** One ordering: exactly one member is given. */
export type UserProfileOrderBy = {
  /** Guid of the user who made the record. */
  createdBy?: Direction | null | undefined;
  /** The user who made the record; null when that user is not known here. */
  createdByNavigation?: UserOrderBy | null | undefined;
  /** When the record was made. */
  createdDate?: Direction | null | undefined;
  /** Name of the file in git that manages it; null: none. */
  managedBy?: Direction | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: Direction | null | undefined;
  /** The user who last changed the record; null when there is none, or not known here. */
  modifiedByNavigation?: UserOrderBy | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: Direction | null | undefined;
  /** The profile. */
  profile?: ProfileOrderBy | null | undefined;
  /** Id of the profile. */
  profileId?: Direction | null | undefined;
  /** Raised by each change; send it back as ifRevision. */
  revision?: Direction | null | undefined;
  /** The role. */
  role?: RoleOrderBy | null | undefined;
  /** Id of the role. */
  roleId?: Direction | null | undefined;
  /** The user. */
  user?: UserOrderBy | null | undefined;
  /** Number of the user. */
  userId?: Direction | null | undefined;
  /** Number of the link; the lowest of several decides the role. */
  userProfileId?: Direction | null | undefined;
};

export type ApplicationFieldsFragment = { revision: number, name: string, description: string | null, appType: string, renderingMode: string, linkType: string, globalExternalLink: string | null, iconDefault: string, iconHover: string, translationGroup: string | null, isIframe: boolean | null, isTokenExchangeRequired: boolean | null, isActive: boolean };

export type ApplicationPageQueryVariables = Exact<{
  applicationGuid: string;
}>;


export type ApplicationPageQuery = { application: { applicationGuid: string, managedBy: string | null, createdDate: string, modifiedDate: string | null, revision: number, name: string, description: string | null, appType: string, renderingMode: string, linkType: string, globalExternalLink: string | null, iconDefault: string, iconHover: string, translationGroup: string | null, isIframe: boolean | null, isTokenExchangeRequired: boolean | null, isActive: boolean, createdByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null, modifiedByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null, accessScopeApplicationsMappers: { totalCount: number }, accessScopeTypeApplicationsMappers: { totalCount: number }, translations: { totalCount: number } } | null, accessOf: Array<{ profile: { profileId: string, name: string }, accessScope: { accessScopeGuid: string, name: string }, accessScopeTypeApplicationsMapper: { accessScopeType: { name: string } } | null, userProfiles: { totalCount: number, nodes: Array<{ user: { userGuid: string, firstName: string | null, lastName: string | null, email: string | null } }> } }> };

export type ApplicationRowsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: ApplicationFilter | null | undefined;
  orderBy?: Array<ApplicationOrderBy> | ApplicationOrderBy | null | undefined;
  opening?: Array<string> | string | null | undefined;
}>;


export type ApplicationRowsQuery = { applications: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null, hasPreviousPage: boolean, startCursor: string | null }, nodes: Array<{ applicationGuid: string, name: string, description: string | null, iconDefault: string, managedBy: string | null, appType: string, isActive: boolean, createdDate: string, modifiedDate: string | null, accessScopeApplicationsMappers: { totalCount: number, nodes: Array<{ accessScope: { name: string } }> }, accessScopeTypeApplicationsMappers: { totalCount: number, nodes: Array<{ accessScopeType: { name: string } }> } }> } };

export type ApplicationNamesQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  filter?: ApplicationFilter | null | undefined;
}>;


export type ApplicationNamesQuery = { applications: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ applicationGuid: string, name: string, appType: string, isActive: boolean }> } };

export type ClientRowsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: ClientFilter | null | undefined;
  orderBy?: Array<ClientOrderBy> | ClientOrderBy | null | undefined;
  isFirst: boolean;
}>;


export type ClientRowsQuery = { clients: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null, hasPreviousPage: boolean, startCursor: string | null }, nodes: Array<{ clientId: string, name: string, description: string | null, isActive: boolean, createdAt: string, secretLastUsedAt: string | null, keysLastUsedAt: string | null, previousSecretEndsAt: string | null, policyReadiness: { state: PolicyReadinessState } }> } | null, policyReadiness?: { tokenPolicy: string, days: number, clients: number, ready: number, notReady: number, notSeen: number, unready: Array<{ clientId: string, client: { name: string } | null, findings: Array<{ operation: string, text: string }> }>, ofNobody: Array<{ operation: string, text: string, count: number }> } };

export type ClientPageQueryVariables = Exact<{
  clientId: string;
  usedBy: string;
  usages: number;
}>;


export type ClientPageQuery = { client: { clientId: string, name: string, description: string | null, isActive: boolean, createdAt: string, revision: number, secretLastUsedAt: string | null, keysLastUsedAt: string | null, previousSecretEndsAt: string | null, previousSecretLastUsedAt: string | null, policy: string | null, policyReadiness: { state: PolicyReadinessState, judged: number, findings: Array<{ operation: string, reason: PolicyReason, text: string, advice: string, count: number, lastSeenAt: string }> }, tokens: { totalCount: number } } | null, usage: Array<{ operation: string, option: string | null, mediaType: string | null, product: string | null, firstSeenAt: string, lastSeenAt: string, count: number, brownouts: number }> };

export type CreateClientMutationVariables = Exact<{
  input: CreateClientInput;
}>;


export type CreateClientMutation = { createClient: { clientSecret: string } | null };

export type UpdateClientMutationVariables = Exact<{
  clientId: string;
  input: UpdateClientInput;
  ifRevision?: number | null | undefined;
}>;


export type UpdateClientMutation = { updateClient: { revision: number } | null };

export type RotateClientSecretMutationVariables = Exact<{
  clientId: string;
  keepPreviousHours?: number | null | undefined;
  ifRevision?: number | null | undefined;
}>;


export type RotateClientSecretMutation = { rotateClientSecret: { clientSecret: string } | null };

export type SetClientActiveMutationVariables = Exact<{
  clientId: string;
  isActive: boolean;
  ifRevision?: number | null | undefined;
}>;


export type SetClientActiveMutation = { setClientActive: { isActive: boolean } | null };

export type EndPreviousSecretMutationVariables = Exact<{
  clientId: string;
  ifRevision?: number | null | undefined;
}>;


export type EndPreviousSecretMutation = { endPreviousSecret: { revision: number } | null };

export type NamesOfFragment = { fieldName: string | null, languageCode: string | null, application: { name: string } | null, accessScope: { name: string } | null, accessScopeType: { name: string } | null, profile: { name: string } | null, role: { name: string } | null, user: { firstName: string | null, lastName: string | null, email: string | null } | null };

export type VersionOfFragment = { recordVersionId: string, recordTable: string, recordKey: string, action: string, changes: Array<{ field: string, before: unknown, after: unknown }>, namesBefore: { fieldName: string | null, languageCode: string | null, application: { name: string } | null, accessScope: { name: string } | null, accessScopeType: { name: string } | null, profile: { name: string } | null, role: { name: string } | null, user: { firstName: string | null, lastName: string | null, email: string | null } | null } | null, namesAfter: { fieldName: string | null, languageCode: string | null, application: { name: string } | null, accessScope: { name: string } | null, accessScopeType: { name: string } | null, profile: { name: string } | null, role: { name: string } | null, user: { firstName: string | null, lastName: string | null, email: string | null } | null } | null };

export type RecordHistoryQueryVariables = Exact<{
  subjectType: string;
  subjectId: string;
  first: number;
  after?: string | null | undefined;
}>;


export type RecordHistoryQuery = { history: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ recordVersionId: string, recordTable: string, recordKey: string, action: string, changeSet: { changeSetGuid: string, occurredAt: string, face: string, note: string | null, actorNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null, undoneBy: { changeSetGuid: string } | null }, changes: Array<{ field: string, before: unknown, after: unknown }>, namesBefore: { fieldName: string | null, languageCode: string | null, application: { name: string } | null, accessScope: { name: string } | null, accessScopeType: { name: string } | null, profile: { name: string } | null, role: { name: string } | null, user: { firstName: string | null, lastName: string | null, email: string | null } | null } | null, namesAfter: { fieldName: string | null, languageCode: string | null, application: { name: string } | null, accessScope: { name: string } | null, accessScopeType: { name: string } | null, profile: { name: string } | null, role: { name: string } | null, user: { firstName: string | null, lastName: string | null, email: string | null } | null } | null }> } };

export type ChangeSetsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  filter?: ChangeSetFilter | null | undefined;
}>;


export type ChangeSetsQuery = { changeSets: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ changeSetGuid: string, occurredAt: string, face: string, note: string | null, traceId: string | null, actorNavigation: { userGuid: string, firstName: string | null, lastName: string | null } | null, undoes: { changeSetGuid: string, occurredAt: string } | null, undoneBy: { changeSetGuid: string } | null, events: { totalCount: number, nodes: Array<{ auditEventId: string, action: string, subjectType: string, subjectId: string, detail: unknown, record:
            | { name: string }
            | { application: { name: string }, accessScope: { name: string } }
            | { name: string }
            | { application: { name: string }, accessScopeType: { name: string } }
            | { name: string }
            | { name: string }
            | { name: string }
            | { profile: { name: string }, accessScope: { name: string } }
            | { name: string }
            | { firstName: string | null, lastName: string | null, email: string | null }
            | { user: { firstName: string | null, lastName: string | null, email: string | null }, profile: { name: string } }
            | Record<PropertyKey, never>
           | null }> } | null }> } | null };

export type ChangeSetEventsQueryVariables = Exact<{
  changeSetGuid: string;
  first: number;
  after?: string | null | undefined;
}>;


export type ChangeSetEventsQuery = { changeSet: { changeSetGuid: string, events: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ auditEventId: string, action: string, subjectType: string, subjectId: string, detail: unknown, record:
          | { name: string }
          | { application: { name: string }, accessScope: { name: string } }
          | { name: string }
          | { application: { name: string }, accessScopeType: { name: string } }
          | { name: string }
          | { name: string }
          | { name: string }
          | { profile: { name: string }, accessScope: { name: string } }
          | { name: string }
          | { firstName: string | null, lastName: string | null, email: string | null }
          | { user: { firstName: string | null, lastName: string | null, email: string | null }, profile: { name: string } }
          | Record<PropertyKey, never>
         | null }> } | null } | null };

export type ChangeSetVersionsQueryVariables = Exact<{
  changeSetGuid: string;
  recordKeys: Array<string> | string;
  first: number;
  after?: string | null | undefined;
}>;


export type ChangeSetVersionsQuery = { changeSet: { changeSetGuid: string, versions: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ recordVersionId: string, recordTable: string, recordKey: string, action: string, changes: Array<{ field: string, before: unknown, after: unknown }>, namesBefore: { fieldName: string | null, languageCode: string | null, application: { name: string } | null, accessScope: { name: string } | null, accessScopeType: { name: string } | null, profile: { name: string } | null, role: { name: string } | null, user: { firstName: string | null, lastName: string | null, email: string | null } | null } | null, namesAfter: { fieldName: string | null, languageCode: string | null, application: { name: string } | null, accessScope: { name: string } | null, accessScopeType: { name: string } | null, profile: { name: string } | null, role: { name: string } | null, user: { firstName: string | null, lastName: string | null, email: string | null } | null } | null }> } | null } | null };

export type HolderRowsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: UserProfileFilter | null | undefined;
  orderBy?: Array<UserProfileOrderBy> | UserProfileOrderBy | null | undefined;
}>;


export type HolderRowsQuery = { userProfiles: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null, hasPreviousPage: boolean, startCursor: string | null }, nodes: Array<{ userProfileId: number, revision: number, createdDate: string, managedBy: string | null, role: { roleId: string, name: string }, profile: { profileId: string, name: string }, user: { userGuid: string, firstName: string | null, lastName: string | null, email: string | null, department: string | null, isBlocked: boolean } }> } };

export type SigningKeysQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type SigningKeysQuery = { signingKeys: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ kid: string, alg: string, state: string, createdAt: string, activatedAt: string | null, retiredAt: string | null }> } | null };

export type RotateSigningKeyMutationVariables = Exact<{ [key: string]: never; }>;


export type RotateSigningKeyMutation = { rotateSigningKey: { kid: string } | null };

export type ManagersQueryVariables = Exact<{
  applications: Array<string> | string;
  mapped: Array<string> | string;
  scopes: Array<string> | string;
  mappedScopes: Array<string> | string;
  types: Array<string> | string;
  mappedTypes: Array<string> | string;
  profiles: Array<string> | string;
  roles: Array<string> | string;
  holders: Array<string> | string;
  held: Array<string> | string;
  groups: Array<string> | string;
}>;


export type ManagersQuery = { applications: { nodes: Array<{ applicationGuid: string, managedBy: string | null }> }, accessScopes: { nodes: Array<{ accessScopeGuid: string, managedBy: string | null }> }, accessScopeTypes: { nodes: Array<{ accessScopeTypeGuid: string, managedBy: string | null }> }, profiles: { nodes: Array<{ profileId: string, managedBy: string | null }> }, roles: { nodes: Array<{ roleId: string, managedBy: string | null }> }, accessScopeApplicationsMappers: { nodes: Array<{ managedBy: string | null, application: { applicationGuid: string }, accessScope: { accessScopeGuid: string } }> }, accessScopeTypeApplicationsMappers: { nodes: Array<{ managedBy: string | null, application: { applicationGuid: string }, accessScopeType: { accessScopeTypeGuid: string } }> }, userProfiles: { nodes: Array<{ managedBy: string | null, profileId: string, roleId: string, user: { userGuid: string } }> }, translationGroups: { nodes: Array<{ translationGroup: string, translations: { nodes: Array<{ fieldName: string, languageCode: string, managedBy: string | null }> } }> } };

export type ScopeMappingRowsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: AccessScopeApplicationsMapperFilter | null | undefined;
  orderBy?: Array<AccessScopeApplicationsMapperOrderBy> | AccessScopeApplicationsMapperOrderBy | null | undefined;
}>;


export type ScopeMappingRowsQuery = { accessScopeApplicationsMappers: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null, hasPreviousPage: boolean, startCursor: string | null }, nodes: Array<{ state: string, individualExternalLink: string | null, createdDate: string, modifiedDate: string | null, application: { applicationGuid: string, name: string, isActive: boolean }, accessScope: { accessScopeGuid: string, name: string, accessScopeKey: string | null, concreteId: number | null, isActive: boolean, isWildcard: boolean, accessScopeType: { name: string, isActive: boolean } } }> } };

export type TypeMappingRowsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: AccessScopeTypeApplicationsMapperFilter | null | undefined;
  orderBy?: Array<AccessScopeTypeApplicationsMapperOrderBy> | AccessScopeTypeApplicationsMapperOrderBy | null | undefined;
}>;


export type TypeMappingRowsQuery = { accessScopeTypeApplicationsMappers: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null, hasPreviousPage: boolean, startCursor: string | null }, nodes: Array<{ state: string, createdDate: string, modifiedDate: string | null, application: { applicationGuid: string, name: string, isActive: boolean }, accessScopeType: { accessScopeTypeGuid: string, name: string, isActive: boolean } }> } };

export type ScopeTypesQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type ScopeTypesQuery = { accessScopeTypes: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ accessScopeTypeGuid: string, name: string, isActive: boolean }> } };

export type ScopesOfTypeQueryVariables = Exact<{
  type: string;
  first: number;
  after?: string | null | undefined;
}>;


export type ScopesOfTypeQuery = { accessScopes: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ accessScopeId: number, accessScopeGuid: string, name: string, isActive: boolean }> } };

export type MatrixQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: ApplicationFilter | null | undefined;
  type: string;
  cells: number;
}>;


export type MatrixQuery = { applications: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null, hasPreviousPage: boolean, startCursor: string | null }, nodes: Array<{ applicationGuid: string, name: string, isActive: boolean, accessScopeApplicationsMappers: { nodes: Array<{ state: string, accessScopeId: number }> }, accessScopeTypeApplicationsMappers: { nodes: Array<{ state: string }> } }> } };

export type ColumnOfScopeQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  filter?: ApplicationFilter | null | undefined;
  scope: string;
}>;


export type ColumnOfScopeQuery = { applications: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ applicationGuid: string, name: string, accessScopeApplicationsMappers: { nodes: Array<{ state: string }> } }> } };

export type ColumnOfTypeQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  filter?: ApplicationFilter | null | undefined;
  type: string;
}>;


export type ColumnOfTypeQuery = { applications: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ applicationGuid: string, name: string, accessScopeTypeApplicationsMappers: { nodes: Array<{ state: string }> } }> } };

export type FindQueryVariables = Exact<{
  text: string;
}>;


export type FindQuery = { search: Array<{ kind: SearchKind, id: string, label: string, hint: string | null }> };

export type PickPeopleQueryVariables = Exact<{
  filter?: UserFilter | null | undefined;
}>;


export type PickPeopleQuery = { users: { totalCount: number, nodes: Array<{ userGuid: string, firstName: string | null, lastName: string | null, email: string | null, department: string | null, isBlocked: boolean }> } };

export type PickApplicationsQueryVariables = Exact<{
  filter?: ApplicationFilter | null | undefined;
}>;


export type PickApplicationsQuery = { applications: { totalCount: number, nodes: Array<{ applicationGuid: string, name: string, appType: string, isActive: boolean }> } };

export type PickScopesQueryVariables = Exact<{
  filter?: AccessScopeFilter | null | undefined;
}>;


export type PickScopesQuery = { accessScopes: { totalCount: number, nodes: Array<{ accessScopeGuid: string, name: string, isActive: boolean, accessScopeType: { name: string } }> } };

export type PickProfilesQueryVariables = Exact<{
  filter?: ProfileFilter | null | undefined;
}>;


export type PickProfilesQuery = { profiles: { totalCount: number, nodes: Array<{ profileId: string, name: string }> } };

export type PickRolesQueryVariables = Exact<{
  filter?: RoleFilter | null | undefined;
}>;


export type PickRolesQuery = { roles: { totalCount: number, nodes: Array<{ roleId: string, name: string }> } };

export type PresentApplicationQueryVariables = Exact<{
  id: string;
}>;


export type PresentApplicationQuery = { record: { modifiedDate: string | null, revision: number, name: string, description: string | null, appType: string, renderingMode: string, linkType: string, globalExternalLink: string | null, iconDefault: string, iconHover: string, translationGroup: string | null, isIframe: boolean | null, isTokenExchangeRequired: boolean | null, isActive: boolean, modifiedByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null } | null };

export type PresentUserQueryVariables = Exact<{
  id: string;
}>;


export type PresentUserQuery = { record: { revision: number, isBlocked: boolean, modifiedDate: string | null, modifiedByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null } | null };

export type PresentProfileQueryVariables = Exact<{
  id: string;
}>;


export type PresentProfileQuery = { record: { revision: number, name: string, description: string | null, modifiedDate: string | null, profileAccessScopes: { nodes: Array<{ accessScope: { accessScopeGuid: string } }> }, modifiedByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null } | null };

export type PresentScopeQueryVariables = Exact<{
  id: string;
}>;


export type PresentScopeQuery = { record: { modifiedDate: string | null, revision: number, name: string, description: string | null, accessScopeKey: string | null, concreteId: number | null, isWildcard: boolean, isActive: boolean, translationGroup: string | null, modifiedByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null } | null };

export type PresentTypeQueryVariables = Exact<{
  id: string;
}>;


export type PresentTypeQuery = { record: { modifiedDate: string | null, revision: number, name: string, description: string | null, isActive: boolean, translationGroup: string | null, modifiedByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null } | null };

export type PresentRoleQueryVariables = Exact<{
  id: string;
}>;


export type PresentRoleQuery = { record: { revision: number, name: string, description: string | null, modifiedDate: string | null, modifiedByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null } | null };

export type PresentTextsQueryVariables = Exact<{
  groups: Array<string> | string;
}>;


export type PresentTextsQuery = { translationGroups: { nodes: Array<{ translationGroup: string, translations: { nodes: Array<{ fieldName: string, languageCode: string, translatedText: string }> } }> } };

export type ProfileRowsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: ProfileFilter | null | undefined;
  orderBy?: Array<ProfileOrderBy> | ProfileOrderBy | null | undefined;
}>;


export type ProfileRowsQuery = { profiles: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null, hasPreviousPage: boolean, startCursor: string | null }, nodes: Array<{ profileId: string, name: string, description: string | null, managedBy: string | null, createdDate: string, modifiedDate: string | null, profileAccessScopes: { totalCount: number, nodes: Array<{ profileAccessScopeId: number, accessScope: { name: string } }> }, userProfiles: { totalCount: number } }> } };

export type ProfilePageQueryVariables = Exact<{
  profileId: string;
}>;


export type ProfilePageQuery = { profile: { profileId: string, name: string, description: string | null, revision: number, managedBy: string | null, createdDate: string, modifiedDate: string | null, createdByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null, modifiedByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null, profileAccessScopes: { totalCount: number }, userProfiles: { totalCount: number } } | null };

export type ScopesOfProfileQueryVariables = Exact<{
  profileId: string;
  first: number;
  after?: string | null | undefined;
}>;


export type ScopesOfProfileQuery = { accessScopes: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ accessScopeGuid: string, name: string, accessScopeKey: string | null, concreteId: number | null, isActive: boolean, isWildcard: boolean, accessScopeType: { name: string } }> } };

export type DeltaFragment = { applications: number, scopes: number, profiles: number, users: number, sessions: number, items: { nodes: Array<{ users: number, scope: string | null, application: { applicationGuid: string, name: string } | null, profile: { profileId: string, name: string }, user: { userGuid: string, firstName: string | null, lastName: string | null } | null, people: Array<{ firstName: string | null, lastName: string | null, email: string | null }> }> } };

export type EffectOfFragment = { effect: { gains: { applications: number, scopes: number, profiles: number, users: number, sessions: number, items: { nodes: Array<{ users: number, scope: string | null, application: { applicationGuid: string, name: string } | null, profile: { profileId: string, name: string }, user: { userGuid: string, firstName: string | null, lastName: string | null } | null, people: Array<{ firstName: string | null, lastName: string | null, email: string | null }> }> } }, loses: { applications: number, scopes: number, profiles: number, users: number, sessions: number, items: { nodes: Array<{ users: number, scope: string | null, application: { applicationGuid: string, name: string } | null, profile: { profileId: string, name: string }, user: { userGuid: string, firstName: string | null, lastName: string | null } | null, people: Array<{ firstName: string | null, lastName: string | null, email: string | null }> }> } } } | null };

export type EventOfFragment = { auditEventId: string, action: string, subjectType: string, subjectId: string, detail: unknown, record:
    | { name: string }
    | { application: { name: string }, accessScope: { name: string } }
    | { name: string }
    | { application: { name: string }, accessScopeType: { name: string } }
    | { name: string }
    | { name: string }
    | { name: string }
    | { profile: { name: string }, accessScope: { name: string } }
    | { name: string }
    | { firstName: string | null, lastName: string | null, email: string | null }
    | { user: { firstName: string | null, lastName: string | null, email: string | null }, profile: { name: string } }
    | Record<PropertyKey, never>
   | null };

export type TryChangesMutationVariables = Exact<{
  changes: Array<ChangeInput> | ChangeInput;
}>;


export type TryChangesMutation = { applyChanges: { catalogueVersion: string, effect: { gains: { applications: number, scopes: number, profiles: number, users: number, sessions: number, items: { nodes: Array<{ users: number, scope: string | null, application: { applicationGuid: string, name: string } | null, profile: { profileId: string, name: string }, user: { userGuid: string, firstName: string | null, lastName: string | null } | null, people: Array<{ firstName: string | null, lastName: string | null, email: string | null }> }> } }, loses: { applications: number, scopes: number, profiles: number, users: number, sessions: number, items: { nodes: Array<{ users: number, scope: string | null, application: { applicationGuid: string, name: string } | null, profile: { profileId: string, name: string }, user: { userGuid: string, firstName: string | null, lastName: string | null } | null, people: Array<{ firstName: string | null, lastName: string | null, email: string | null }> }> } } } | null } | null };

export type ApplyChangesMutationVariables = Exact<{
  changes: Array<ChangeInput> | ChangeInput;
  note?: string | null | undefined;
}>;


export type ApplyChangesMutation = { applyChanges: { changeSetGuid: string, isDryRun: boolean } | null };

export type TryUndoMutationVariables = Exact<{
  changeSetGuid: string;
}>;


export type TryUndoMutation = { undoChangeSet: { catalogueVersion: string, effect: { gains: { applications: number, scopes: number, profiles: number, users: number, sessions: number, items: { nodes: Array<{ users: number, scope: string | null, application: { applicationGuid: string, name: string } | null, profile: { profileId: string, name: string }, user: { userGuid: string, firstName: string | null, lastName: string | null } | null, people: Array<{ firstName: string | null, lastName: string | null, email: string | null }> }> } }, loses: { applications: number, scopes: number, profiles: number, users: number, sessions: number, items: { nodes: Array<{ users: number, scope: string | null, application: { applicationGuid: string, name: string } | null, profile: { profileId: string, name: string }, user: { userGuid: string, firstName: string | null, lastName: string | null } | null, people: Array<{ firstName: string | null, lastName: string | null, email: string | null }> }> } } } | null } | null };

export type UndoMutationVariables = Exact<{
  changeSetGuid: string;
  note?: string | null | undefined;
}>;


export type UndoMutation = { undoChangeSet: { changeSetGuid: string } | null };

export type MappingsNowQueryVariables = Exact<{
  first: number;
  applications: Array<string> | string;
  scopes: Array<string> | string;
  types: Array<string> | string;
}>;


export type MappingsNowQuery = { applications: { nodes: Array<{ applicationGuid: string, accessScopeApplicationsMappers: { nodes: Array<{ state: string, modifiedDate: string | null, modifiedByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null, createdByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null, accessScope: { accessScopeGuid: string } }> }, accessScopeTypeApplicationsMappers: { nodes: Array<{ state: string, accessScopeType: { accessScopeTypeGuid: string } }> } }> } };

export type RoleRowsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: RoleFilter | null | undefined;
  orderBy?: Array<RoleOrderBy> | RoleOrderBy | null | undefined;
}>;


export type RoleRowsQuery = { roles: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null, hasPreviousPage: boolean, startCursor: string | null }, nodes: Array<{ roleId: string, name: string, description: string | null, managedBy: string | null, createdDate: string, modifiedDate: string | null, userProfiles: { totalCount: number } }> } };

export type RolePageQueryVariables = Exact<{
  roleId: string;
}>;


export type RolePageQuery = { role: { roleId: string, name: string, description: string | null, revision: number, managedBy: string | null, createdDate: string, modifiedDate: string | null, createdByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null, modifiedByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null, userProfiles: { totalCount: number } } | null };

export type ScopeRowsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: AccessScopeFilter | null | undefined;
  orderBy?: Array<AccessScopeOrderBy> | AccessScopeOrderBy | null | undefined;
  opening?: Array<string> | string | null | undefined;
}>;


export type ScopeRowsQuery = { accessScopes: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null, hasPreviousPage: boolean, startCursor: string | null }, nodes: Array<{ accessScopeGuid: string, name: string, accessScopeKey: string | null, concreteId: number | null, isWildcard: boolean, isActive: boolean, managedBy: string | null, createdDate: string, modifiedDate: string | null, accessScopeType: { name: string }, accessScopeApplicationsMappers: { totalCount: number }, profileAccessScopes: { totalCount: number } }> } };

export type AccessScopeFieldsFragment = { revision: number, name: string, description: string | null, accessScopeKey: string | null, concreteId: number | null, isWildcard: boolean, isActive: boolean, translationGroup: string | null };

export type ScopePageQueryVariables = Exact<{
  accessScopeGuid: string;
}>;


export type ScopePageQuery = { accessScope: { accessScopeGuid: string, managedBy: string | null, createdDate: string, modifiedDate: string | null, revision: number, name: string, description: string | null, accessScopeKey: string | null, concreteId: number | null, isWildcard: boolean, isActive: boolean, translationGroup: string | null, createdByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null, modifiedByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null, translations: { totalCount: number }, accessScopeType: { accessScopeTypeGuid: string, name: string, isActive: boolean }, accessScopeApplicationsMappers: { totalCount: number }, profileAccessScopes: { totalCount: number } } | null };

export type ScopeProfilesQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: ProfileFilter | null | undefined;
  orderBy?: Array<ProfileOrderBy> | ProfileOrderBy | null | undefined;
}>;


export type ScopeProfilesQuery = { profiles: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null, hasPreviousPage: boolean, startCursor: string | null }, nodes: Array<{ profileId: string, name: string, userProfiles: { totalCount: number } }> } };

export type MeQueryVariables = Exact<{ [key: string]: never; }>;


export type MeQuery = { viewer: { userGuid: string, profileId: string, permissions: Array<string>, mappingActiveStates: Array<string>, signedInAt: string | null, sessionEndsAt: string | null, administrationProfiles: Array<{ profileId: string, name: string, permissions: Array<string> }>, user: { firstName: string | null, lastName: string | null, email: string | null } | null } };

export type EndsOfFragment = { hasNextPage: boolean, endCursor: string | null, hasPreviousPage: boolean, startCursor: string | null };

export type PersonOfFragment = { firstName: string | null, lastName: string | null, email: string | null };

export type TextOfFragment = { fieldName: string, languageCode: string, translatedText: string };

export type ApplicationTextsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: ApplicationFilter | null | undefined;
}>;


export type ApplicationTextsQuery = { records: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null, hasPreviousPage: boolean, startCursor: string | null }, nodes: Array<{ name: string, description: string | null, translationGroup: string | null, guid: string, translations: { nodes: Array<{ fieldName: string, languageCode: string, translatedText: string }> } }> } };

export type ScopeTextsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: AccessScopeFilter | null | undefined;
}>;


export type ScopeTextsQuery = { records: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null, hasPreviousPage: boolean, startCursor: string | null }, nodes: Array<{ name: string, description: string | null, translationGroup: string | null, guid: string, translations: { nodes: Array<{ fieldName: string, languageCode: string, translatedText: string }> } }> } };

export type TypeTextsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: AccessScopeTypeFilter | null | undefined;
}>;


export type TypeTextsQuery = { records: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null, hasPreviousPage: boolean, startCursor: string | null }, nodes: Array<{ name: string, description: string | null, translationGroup: string | null, guid: string, translations: { nodes: Array<{ fieldName: string, languageCode: string, translatedText: string }> } }> } };

export type TextsOfGroupQueryVariables = Exact<{
  translationGroup: string;
  first: number;
  after?: string | null | undefined;
}>;


export type TextsOfGroupQuery = { translationGroups: { totalCount: number, nodes: Array<{ translationGroup: string, translations: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ fieldName: string, languageCode: string, translatedText: string }> } }> } };

export type TypeRowsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: AccessScopeTypeFilter | null | undefined;
  orderBy?: Array<AccessScopeTypeOrderBy> | AccessScopeTypeOrderBy | null | undefined;
}>;


export type TypeRowsQuery = { accessScopeTypes: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null, hasPreviousPage: boolean, startCursor: string | null }, nodes: Array<{ accessScopeTypeGuid: string, name: string, description: string | null, managedBy: string | null, isActive: boolean, createdDate: string, modifiedDate: string | null, accessScopes: { totalCount: number }, accessScopeTypeApplicationsMappers: { totalCount: number } }> } };

export type AccessScopeTypeFieldsFragment = { revision: number, name: string, description: string | null, isActive: boolean, translationGroup: string | null };

export type TypePageQueryVariables = Exact<{
  accessScopeTypeGuid: string;
}>;


export type TypePageQuery = { accessScopeType: { accessScopeTypeGuid: string, managedBy: string | null, createdDate: string, modifiedDate: string | null, revision: number, name: string, description: string | null, isActive: boolean, translationGroup: string | null, createdByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null, modifiedByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null, translations: { totalCount: number }, accessScopes: { totalCount: number }, accessScopeTypeApplicationsMappers: { totalCount: number } } | null };

export type UsageOfFragment = { operation: string, option: string | null, mediaType: string | null, product: string | null, firstSeenAt: string, lastSeenAt: string, count: number, brownouts: number };

export type UsageRowsQueryVariables = Exact<{
  first: number;
  operation?: string | null | undefined;
  since?: string | null | undefined;
  clientId?: string | null | undefined;
  brownedOut?: boolean | null | undefined;
}>;


export type UsageRowsQuery = { usage: Array<{ clientId: string | null, caller: string | null, operation: string, option: string | null, mediaType: string | null, product: string | null, firstSeenAt: string, lastSeenAt: string, count: number, brownouts: number, client: { name: string } | null, callerNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null }> };

export type UserPageQueryVariables = Exact<{
  userGuid: string;
}>;


export type UserPageQuery = { user: { userGuid: string, firstName: string | null, lastName: string | null, email: string | null, telephone: string | null, jobTitle: string | null, department: string | null, idpname: string | null, idpid: string | null, languagePreference: string | null, isBlocked: boolean, lastLoginDate: string | null, revision: number, createdDate: string, modifiedDate: string | null, createdByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null, modifiedByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null, userProfiles: { totalCount: number } } | null };

export type UserHoldingsQueryVariables = Exact<{
  userGuid: string;
  first: number;
  after?: string | null | undefined;
}>;


export type UserHoldingsQuery = { userProfiles: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ userProfileId: number, revision: number, createdDate: string, role: { roleId: string, name: string }, profile: { profileId: string, name: string, profileAccessScopes: { totalCount: number, nodes: Array<{ accessScope: { accessScopeGuid: string, name: string, isActive: boolean } }> } } }> } };

export type ProfileOpensQueryVariables = Exact<{
  profileId: string;
}>;


export type ProfileOpensQuery = { profile: { profileId: string, openedApplications: Array<{ applicationGuid: string, name: string, appType: string }> } | null };

export type SessionsQueryVariables = Exact<{
  userGuid: string;
  first: number;
  after?: string | null | undefined;
}>;


export type SessionsQuery = { tokens: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, startedAt: string, createdAt: string, expiresAt: string, createdByIp: string | null, generation: number, profile: { name: string } | null, client: { clientId: string, name: string } | null }> } | null };

export type RevokeTokensMutationVariables = Exact<{
  tokenId?: string | null | undefined;
  userGuid?: string | null | undefined;
  clientId?: string | null | undefined;
}>;


export type RevokeTokensMutation = { revokeTokens: number | null };

export type UserRowsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: UserFilter | null | undefined;
  orderBy?: Array<UserOrderBy> | UserOrderBy | null | undefined;
}>;


export type UserRowsQuery = { users: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null, hasPreviousPage: boolean, startCursor: string | null }, nodes: Array<{ userGuid: string, firstName: string | null, lastName: string | null, email: string | null, jobTitle: string | null, isBlocked: boolean, lastLoginDate: string | null, userProfiles: { totalCount: number, nodes: Array<{ userProfileId: number, profile: { name: string } }> } }> } };

export type WhyQueryVariables = Exact<{
  userGuid: string;
  applicationGuid: string;
}>;


export type WhyQuery = { user: { userGuid: string, firstName: string | null, lastName: string | null, email: string | null, jobTitle: string | null, isBlocked: boolean } | null, application: { applicationGuid: string, name: string, appType: string, isActive: boolean } | null, explainAccess: { isOpen: boolean, reasons: Array<string>, ways: Array<{ isOpen: boolean, links: Array<{ holds: boolean, reason: AccessReason | null, text: string, userProfile: { role: { name: string } } | null, profile: { profileId: string, name: string } | null, accessScope: { accessScopeGuid: string, name: string, accessScopeKey: string | null, concreteId: number | null, isWildcard: boolean, isActive: boolean } | null, accessScopeType: { accessScopeTypeGuid: string, name: string } | null, accessScopeApplicationsMapper: { state: string } | null, accessScopeTypeApplicationsMapper: { state: string } | null }> }>, remedies: Array<{ text: string, changes: Array<unknown>, othersGaining: number }> } };

export type WhyPersonQueryVariables = Exact<{
  userGuid: string;
}>;


export type WhyPersonQuery = { user: { userGuid: string, firstName: string | null, lastName: string | null, email: string | null } | null };

export type WhyApplicationQueryVariables = Exact<{
  applicationGuid: string;
}>;


export type WhyApplicationQuery = { application: { applicationGuid: string, name: string } | null };

/** An operation by the SHA-256 of its text, which documents.json has; its types say what it answers and what it takes. */
export interface Operation<Answer, Variables> {
  readonly operationName: string;
  readonly documentId: string;
  readonly answer?: Answer;
  readonly variables?: Variables;
}
