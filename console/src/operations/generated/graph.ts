/** Written by `npm run generate` from the operations beside this folder. */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** The reason why a condition for access is not met. */
export type AccessReason =
  /** The application is inactive. */
  | 'APPLICATION_INACTIVE'
  /** The user held the profile, or the profile had the access scope, until a time that has passed. */
  | 'GRANT_ENDED'
  /** The state of the mapping does not open the application. */
  | 'MAPPING_STATE'
  /** No mapping opens the application. */
  | 'NO_MAPPING'
  /** The user does not hold the profile. */
  | 'PROFILE_NOT_HELD'
  /** The access scope is inactive. */
  | 'SCOPE_INACTIVE'
  /** The profile does not have the access scope. */
  | 'SCOPE_NOT_IN_PROFILE'
  /** The access scope type is inactive. */
  | 'TYPE_INACTIVE'
  /** The user is blocked. */
  | 'USER_BLOCKED';

/** A mapping to an access scope. */
export type AccessScopeApplicationsMapperCreateInput = {
  /** Guid of the access scope. */
  accessScopeGuid: string;
  /** Link to the application for this access scope, which replaces the global link. */
  individualExternalLink?: string | null | undefined;
  /** State of the mapping. */
  state?: string | null | undefined;
};

/** Conditions on AccessScopeApplicationsMapper records, combined with AND. */
export type AccessScopeApplicationsMapperFilter = {
  /** The access scope. */
  accessScope?: AccessScopeFilter | null | undefined;
  /** Number of the mapping. */
  accessScopeApplicationsMapperId?: IntFilter | null | undefined;
  /** Number of the access scope. */
  accessScopeId?: IntFilter | null | undefined;
  /** All of these conditions are met. */
  and?: Array<AccessScopeApplicationsMapperFilter> | null | undefined;
  /** The application. */
  application?: ApplicationFilter | null | undefined;
  /** Number of the application. */
  applicationId?: IntFilter | null | undefined;
  /** Guid of the user who created the record. */
  createdBy?: UUIDFilter | null | undefined;
  /** The user who created the record; null if there is no such user. */
  createdByNavigation?: UserFilter | null | undefined;
  /** When the record was created. */
  createdDate?: DateTimeFilter | null | undefined;
  /** Link to the application for this access scope, which replaces the global link. */
  individualExternalLink?: StringFilter | null | undefined;
  /** Name of the file in git that manages the record, or `scim:` and the name of the connector; null if there is none. */
  managedBy?: StringFilter | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: UUIDFilter | null | undefined;
  /** The user who last changed the record; null before the first change, or if there is no such user. */
  modifiedByNavigation?: UserFilter | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: DateTimeFilter | null | undefined;
  /** This condition is not met. */
  not?: AccessScopeApplicationsMapperFilter | null | undefined;
  /** At least one of these conditions is met. */
  or?: Array<AccessScopeApplicationsMapperFilter> | null | undefined;
  /** Increases with each change. Send it as ifRevision to avoid overwriting other changes. */
  revision?: IntFilter | null | undefined;
  /** State of the mapping. */
  state?: StringFilter | null | undefined;
};

/** Conditions on related records. */
export type AccessScopeApplicationsMapperListFilter = {
  /** No related record matches. */
  none?: AccessScopeApplicationsMapperFilter | null | undefined;
  /** At least one related record matches. */
  some?: AccessScopeApplicationsMapperFilter | null | undefined;
};

/** A sort key. Exactly one field is required. */
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
  /** Guid of the user who created the record. */
  createdBy?: Direction | null | undefined;
  /** The user who created the record; null if there is no such user. */
  createdByNavigation?: UserOrderBy | null | undefined;
  /** When the record was created. */
  createdDate?: Direction | null | undefined;
  /** Link to the application for this access scope, which replaces the global link. */
  individualExternalLink?: Direction | null | undefined;
  /** Name of the file in git that manages the record, or `scim:` and the name of the connector; null if there is none. */
  managedBy?: Direction | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: Direction | null | undefined;
  /** The user who last changed the record; null before the first change, or if there is no such user. */
  modifiedByNavigation?: UserOrderBy | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: Direction | null | undefined;
  /** Increases with each change. Send it as ifRevision to avoid overwriting other changes. */
  revision?: Direction | null | undefined;
  /** State of the mapping. */
  state?: Direction | null | undefined;
};

/** A mapping to an access scope. */
export type AccessScopeApplicationsMapperUpdateInput = {
  /** Guid of the access scope. */
  accessScopeGuid: string;
  /** Increases with each change. Send it as ifRevision to avoid overwriting other changes. */
  ifRevision?: number | null | undefined;
  /** Link to the application for this access scope, which replaces the global link. */
  individualExternalLink?: string | null | undefined;
  /** State of the mapping. */
  state?: string | null | undefined;
};

/** Conditions on AccessScope records, combined with AND. */
export type AccessScopeFilter = {
  /** The applications that it opens. */
  accessScopeApplicationsMappers?: AccessScopeApplicationsMapperListFilter | null | undefined;
  /** Guid of the access scope. */
  accessScopeGuid?: UUIDFilter | null | undefined;
  /** Number of the access scope. */
  accessScopeId?: IntFilter | null | undefined;
  /** Key in the `scopes` claim. It must not be `*` or contain white space, control or format characters, quotes or backslashes. */
  accessScopeKey?: StringFilter | null | undefined;
  /** The access scope type. */
  accessScopeType?: AccessScopeTypeFilter | null | undefined;
  /** Number of the access scope type. */
  accessScopeTypeId?: IntFilter | null | undefined;
  /** All of these conditions are met. */
  and?: Array<AccessScopeFilter> | null | undefined;
  /** Number of the object that the access scope stands for. The `scopes` claim contains this number if there is no key. */
  concreteId?: IntFilter | null | undefined;
  /** Guid of the user who created the record. */
  createdBy?: UUIDFilter | null | undefined;
  /** The user who created the record; null if there is no such user. */
  createdByNavigation?: UserFilter | null | undefined;
  /** When the record was created. */
  createdDate?: DateTimeFilter | null | undefined;
  /** Description shown to people. */
  description?: StringFilter | null | undefined;
  /** Whether the access scope is active. New tokens contain only active access scopes. */
  isActive?: BooleanFilter | null | undefined;
  /** Whether the access scope stands for every access scope of its type. */
  isWildcard?: BooleanFilter | null | undefined;
  /** Name of the file in git that manages the record, or `scim:` and the name of the connector; null if there is none. */
  managedBy?: StringFilter | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: UUIDFilter | null | undefined;
  /** The user who last changed the record; null before the first change, or if there is no such user. */
  modifiedByNavigation?: UserFilter | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: DateTimeFilter | null | undefined;
  /** Display name. */
  name?: StringFilter | null | undefined;
  /** This condition is not met. */
  not?: AccessScopeFilter | null | undefined;
  /** At least one of these conditions is met. */
  or?: Array<AccessScopeFilter> | null | undefined;
  /** The profiles that have the access scope. */
  profileAccessScopes?: ProfileAccessScopeListFilter | null | undefined;
  /** Increases with each change. Send it as ifRevision to avoid overwriting other changes. */
  revision?: IntFilter | null | undefined;
  /** Every word is contained in name or accessScopeKey, ignoring accents and case. */
  text?: string | null | undefined;
  /** Name of the translation group of the record. */
  translationGroup?: StringFilter | null | undefined;
  /** The translations of the texts of the record. */
  translations?: TranslationListFilter | null | undefined;
};

/** Conditions on related records. */
export type AccessScopeListFilter = {
  /** No related record matches. */
  none?: AccessScopeFilter | null | undefined;
  /** At least one related record matches. */
  some?: AccessScopeFilter | null | undefined;
};

/** A sort key. Exactly one field is required. */
export type AccessScopeOrderBy = {
  /** Guid of the access scope. */
  accessScopeGuid?: Direction | null | undefined;
  /** Number of the access scope. */
  accessScopeId?: Direction | null | undefined;
  /** Key in the `scopes` claim. It must not be `*` or contain white space, control or format characters, quotes or backslashes. */
  accessScopeKey?: Direction | null | undefined;
  /** The access scope type. */
  accessScopeType?: AccessScopeTypeOrderBy | null | undefined;
  /** Number of the access scope type. */
  accessScopeTypeId?: Direction | null | undefined;
  /** Number of the object that the access scope stands for. The `scopes` claim contains this number if there is no key. */
  concreteId?: Direction | null | undefined;
  /** Guid of the user who created the record. */
  createdBy?: Direction | null | undefined;
  /** The user who created the record; null if there is no such user. */
  createdByNavigation?: UserOrderBy | null | undefined;
  /** When the record was created. */
  createdDate?: Direction | null | undefined;
  /** Description shown to people. */
  description?: Direction | null | undefined;
  /** Whether the access scope is active. New tokens contain only active access scopes. */
  isActive?: Direction | null | undefined;
  /** Whether the access scope stands for every access scope of its type. */
  isWildcard?: Direction | null | undefined;
  /** Name of the file in git that manages the record, or `scim:` and the name of the connector; null if there is none. */
  managedBy?: Direction | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: Direction | null | undefined;
  /** The user who last changed the record; null before the first change, or if there is no such user. */
  modifiedByNavigation?: UserOrderBy | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: Direction | null | undefined;
  /** Display name. */
  name?: Direction | null | undefined;
  /** Increases with each change. Send it as ifRevision to avoid overwriting other changes. */
  revision?: Direction | null | undefined;
  /** Name of the translation group of the record. */
  translationGroup?: Direction | null | undefined;
};

/** A mapping to an access scope type. */
export type AccessScopeTypeApplicationsMapperCreateInput = {
  /** Guid of the access scope type. */
  accessScopeTypeGuid: string;
  /** State of the mapping. */
  state?: string | null | undefined;
};

/** Conditions on AccessScopeTypeApplicationsMapper records, combined with AND. */
export type AccessScopeTypeApplicationsMapperFilter = {
  /** The access scope type. */
  accessScopeType?: AccessScopeTypeFilter | null | undefined;
  /** Number of the mapping. */
  accessScopeTypeApplicationsMapperId?: IntFilter | null | undefined;
  /** Number of the access scope type. */
  accessScopeTypeId?: IntFilter | null | undefined;
  /** All of these conditions are met. */
  and?: Array<AccessScopeTypeApplicationsMapperFilter> | null | undefined;
  /** The application. */
  application?: ApplicationFilter | null | undefined;
  /** Number of the application. */
  applicationId?: IntFilter | null | undefined;
  /** Guid of the user who created the record. */
  createdBy?: UUIDFilter | null | undefined;
  /** The user who created the record; null if there is no such user. */
  createdByNavigation?: UserFilter | null | undefined;
  /** When the record was created. */
  createdDate?: DateTimeFilter | null | undefined;
  /** Name of the file in git that manages the record, or `scim:` and the name of the connector; null if there is none. */
  managedBy?: StringFilter | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: UUIDFilter | null | undefined;
  /** The user who last changed the record; null before the first change, or if there is no such user. */
  modifiedByNavigation?: UserFilter | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: DateTimeFilter | null | undefined;
  /** This condition is not met. */
  not?: AccessScopeTypeApplicationsMapperFilter | null | undefined;
  /** At least one of these conditions is met. */
  or?: Array<AccessScopeTypeApplicationsMapperFilter> | null | undefined;
  /** Increases with each change. Send it as ifRevision to avoid overwriting other changes. */
  revision?: IntFilter | null | undefined;
  /** State of the mapping. */
  state?: StringFilter | null | undefined;
};

/** Conditions on related records. */
export type AccessScopeTypeApplicationsMapperListFilter = {
  /** No related record matches. */
  none?: AccessScopeTypeApplicationsMapperFilter | null | undefined;
  /** At least one related record matches. */
  some?: AccessScopeTypeApplicationsMapperFilter | null | undefined;
};

/** A sort key. Exactly one field is required. */
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
  /** Guid of the user who created the record. */
  createdBy?: Direction | null | undefined;
  /** The user who created the record; null if there is no such user. */
  createdByNavigation?: UserOrderBy | null | undefined;
  /** When the record was created. */
  createdDate?: Direction | null | undefined;
  /** Name of the file in git that manages the record, or `scim:` and the name of the connector; null if there is none. */
  managedBy?: Direction | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: Direction | null | undefined;
  /** The user who last changed the record; null before the first change, or if there is no such user. */
  modifiedByNavigation?: UserOrderBy | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: Direction | null | undefined;
  /** Increases with each change. Send it as ifRevision to avoid overwriting other changes. */
  revision?: Direction | null | undefined;
  /** State of the mapping. */
  state?: Direction | null | undefined;
};

/** A mapping to an access scope type. */
export type AccessScopeTypeApplicationsMapperUpdateInput = {
  /** Guid of the access scope type. */
  accessScopeTypeGuid: string;
  /** Increases with each change. Send it as ifRevision to avoid overwriting other changes. */
  ifRevision?: number | null | undefined;
  /** State of the mapping. */
  state?: string | null | undefined;
};

/** Conditions on AccessScopeType records, combined with AND. */
export type AccessScopeTypeFilter = {
  /** The applications that it opens. */
  accessScopeTypeApplicationsMappers?: AccessScopeTypeApplicationsMapperListFilter | null | undefined;
  /** Guid of the access scope type. */
  accessScopeTypeGuid?: UUIDFilter | null | undefined;
  /** Number of the access scope type. */
  accessScopeTypeId?: IntFilter | null | undefined;
  /** The access scopes of the type. */
  accessScopes?: AccessScopeListFilter | null | undefined;
  /** All of these conditions are met. */
  and?: Array<AccessScopeTypeFilter> | null | undefined;
  /** Guid of the user who created the record. */
  createdBy?: UUIDFilter | null | undefined;
  /** The user who created the record; null if there is no such user. */
  createdByNavigation?: UserFilter | null | undefined;
  /** When the record was created. */
  createdDate?: DateTimeFilter | null | undefined;
  /** Description shown to people. */
  description?: StringFilter | null | undefined;
  /** Whether the access scope type is active. New tokens contain no access scopes of an inactive type. */
  isActive?: BooleanFilter | null | undefined;
  /** Name of the file in git that manages the record, or `scim:` and the name of the connector; null if there is none. */
  managedBy?: StringFilter | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: UUIDFilter | null | undefined;
  /** The user who last changed the record; null before the first change, or if there is no such user. */
  modifiedByNavigation?: UserFilter | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: DateTimeFilter | null | undefined;
  /** Unique name. It must not resemble `admin` or contain colons, white space, control or format characters, quotes or backslashes. */
  name?: StringFilter | null | undefined;
  /** This condition is not met. */
  not?: AccessScopeTypeFilter | null | undefined;
  /** At least one of these conditions is met. */
  or?: Array<AccessScopeTypeFilter> | null | undefined;
  /** Increases with each change. Send it as ifRevision to avoid overwriting other changes. */
  revision?: IntFilter | null | undefined;
  /** Every word is contained in name, ignoring accents and case. */
  text?: string | null | undefined;
  /** Name of the translation group of the record. */
  translationGroup?: StringFilter | null | undefined;
  /** The translations of the texts of the record. */
  translations?: TranslationListFilter | null | undefined;
};

/** A sort key. Exactly one field is required. */
export type AccessScopeTypeOrderBy = {
  /** Guid of the access scope type. */
  accessScopeTypeGuid?: Direction | null | undefined;
  /** Number of the access scope type. */
  accessScopeTypeId?: Direction | null | undefined;
  /** Guid of the user who created the record. */
  createdBy?: Direction | null | undefined;
  /** The user who created the record; null if there is no such user. */
  createdByNavigation?: UserOrderBy | null | undefined;
  /** When the record was created. */
  createdDate?: Direction | null | undefined;
  /** Description shown to people. */
  description?: Direction | null | undefined;
  /** Whether the access scope type is active. New tokens contain no access scopes of an inactive type. */
  isActive?: Direction | null | undefined;
  /** Name of the file in git that manages the record, or `scim:` and the name of the connector; null if there is none. */
  managedBy?: Direction | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: Direction | null | undefined;
  /** The user who last changed the record; null before the first change, or if there is no such user. */
  modifiedByNavigation?: UserOrderBy | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: Direction | null | undefined;
  /** Unique name. It must not resemble `admin` or contain colons, white space, control or format characters, quotes or backslashes. */
  name?: Direction | null | undefined;
  /** Increases with each change. Send it as ifRevision to avoid overwriting other changes. */
  revision?: Direction | null | undefined;
  /** Name of the translation group of the record. */
  translationGroup?: Direction | null | undefined;
};

/** Conditions on Application records, combined with AND. */
export type ApplicationFilter = {
  /** The mappings of access scopes that open the application. */
  accessScopeApplicationsMappers?: AccessScopeApplicationsMapperListFilter | null | undefined;
  /** The mappings of access scope types that open the application. */
  accessScopeTypeApplicationsMappers?: AccessScopeTypeApplicationsMapperListFilter | null | undefined;
  /** All of these conditions are met. */
  and?: Array<ApplicationFilter> | null | undefined;
  /** Type of the application. */
  appType?: StringFilter | null | undefined;
  /** Guid of the application. */
  applicationGuid?: UUIDFilter | null | undefined;
  /** Number of the application. */
  applicationId?: IntFilter | null | undefined;
  /** Guid of the user who created the record. */
  createdBy?: UUIDFilter | null | undefined;
  /** The user who created the record; null if there is no such user. */
  createdByNavigation?: UserFilter | null | undefined;
  /** When the record was created. */
  createdDate?: DateTimeFilter | null | undefined;
  /** Description shown to people. */
  description?: StringFilter | null | undefined;
  /** Link to the application, unless the mapping has an individual link. */
  globalExternalLink?: StringFilter | null | undefined;
  /** The icon. */
  iconDefault?: StringFilter | null | undefined;
  /** The icon under the pointer. */
  iconHover?: StringFilter | null | undefined;
  /** Whether the application is active. */
  isActive?: BooleanFilter | null | undefined;
  /** Whether the application is shown in an iframe. */
  isIframe?: BooleanFilter | null | undefined;
  /** Whether people may request access to the application. */
  isRequestable?: BooleanFilter | null | undefined;
  /** Whether the application requires a token exchange. */
  isTokenExchangeRequired?: BooleanFilter | null | undefined;
  /** How the link opens. */
  linkType?: StringFilter | null | undefined;
  /** Name of the file in git that manages the record, or `scim:` and the name of the connector; null if there is none. */
  managedBy?: StringFilter | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: UUIDFilter | null | undefined;
  /** The user who last changed the record; null before the first change, or if there is no such user. */
  modifiedByNavigation?: UserFilter | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: DateTimeFilter | null | undefined;
  /** Display name. */
  name?: StringFilter | null | undefined;
  /** This condition is not met. */
  not?: ApplicationFilter | null | undefined;
  /** At least one of these conditions is met. */
  or?: Array<ApplicationFilter> | null | undefined;
  /** Id of the profile whose holders own the application: they may approve changes of its mappings; null if it has no owner. */
  ownerProfileId?: StringFilter | null | undefined;
  /** How the application is rendered. */
  renderingMode?: StringFilter | null | undefined;
  /** Increases with each change. Send it as ifRevision to avoid overwriting other changes. */
  revision?: IntFilter | null | undefined;
  /** Every word is contained in name, ignoring accents and case. */
  text?: string | null | undefined;
  /** Name of the translation group of the record. */
  translationGroup?: StringFilter | null | undefined;
  /** The translations of the texts of the record. */
  translations?: TranslationListFilter | null | undefined;
};

/** A sort key. Exactly one field is required. */
export type ApplicationOrderBy = {
  /** Type of the application. */
  appType?: Direction | null | undefined;
  /** Guid of the application. */
  applicationGuid?: Direction | null | undefined;
  /** Number of the application. */
  applicationId?: Direction | null | undefined;
  /** Guid of the user who created the record. */
  createdBy?: Direction | null | undefined;
  /** The user who created the record; null if there is no such user. */
  createdByNavigation?: UserOrderBy | null | undefined;
  /** When the record was created. */
  createdDate?: Direction | null | undefined;
  /** Description shown to people. */
  description?: Direction | null | undefined;
  /** Link to the application, unless the mapping has an individual link. */
  globalExternalLink?: Direction | null | undefined;
  /** The icon. */
  iconDefault?: Direction | null | undefined;
  /** The icon under the pointer. */
  iconHover?: Direction | null | undefined;
  /** Whether the application is active. */
  isActive?: Direction | null | undefined;
  /** Whether the application is shown in an iframe. */
  isIframe?: Direction | null | undefined;
  /** Whether people may request access to the application. */
  isRequestable?: Direction | null | undefined;
  /** Whether the application requires a token exchange. */
  isTokenExchangeRequired?: Direction | null | undefined;
  /** How the link opens. */
  linkType?: Direction | null | undefined;
  /** Name of the file in git that manages the record, or `scim:` and the name of the connector; null if there is none. */
  managedBy?: Direction | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: Direction | null | undefined;
  /** The user who last changed the record; null before the first change, or if there is no such user. */
  modifiedByNavigation?: UserOrderBy | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: Direction | null | undefined;
  /** Display name. */
  name?: Direction | null | undefined;
  /** Id of the profile whose holders own the application: they may approve changes of its mappings; null if it has no owner. */
  ownerProfileId?: Direction | null | undefined;
  /** How the application is rendered. */
  renderingMode?: Direction | null | undefined;
  /** Increases with each change. Send it as ifRevision to avoid overwriting other changes. */
  revision?: Direction | null | undefined;
  /** Name of the translation group of the record. */
  translationGroup?: Direction | null | undefined;
};

/** The arguments of assignAccessScope. */
export type AssignAccessScopeChange = {
  /** Guid of the access scope. */
  accessScopeGuid: string;
  /** Id of the profile. */
  profileId: string;
  /** When the grant ends; null: never. An existing grant gets this end. If absent, a new grant has no end, and the request fails with CONFLICT if the grant exists. */
  validUntil?: string | null | undefined;
};

/** The arguments of assignProfile. */
export type AssignProfileChange = {
  /** Id of the profile. */
  profileId: string;
  /** Id of the role. */
  roleId: string;
  /** Guid of the user: the `sub` of tokens. */
  userGuid: string;
  /** When the grant ends; null: never. An existing grant gets this end. If absent, a new grant has no end, and the request fails with CONFLICT if the grant exists. */
  validUntil?: string | null | undefined;
};

/** The arguments of assignProfiles. */
export type AssignProfilesChange = {
  /** Id of the profile. */
  profileId: string;
  /** Id of the role. */
  roleId: string;
  /** Guids of the users, each once. */
  userGuids: Array<string>;
  /** When the grants end; null: never. Absent: new grants have no end, and existing grants keep theirs. */
  validUntil?: string | null | undefined;
};

/** Conditions on AuditEvent records, combined with AND. */
export type AuditEventFilter = {
  /** The action, such as `create`, `update` or `delete`. */
  action?: StringFilter | null | undefined;
  /** Guid of the user or connector that made the change. */
  actor?: UUIDFilter | null | undefined;
  /** The user who made the change; null if there is no such user. Requires admin:read. */
  actorNavigation?: UserFilter | null | undefined;
  /** All of these conditions are met. */
  and?: Array<AuditEventFilter> | null | undefined;
  /** Number of the event. */
  auditEventId?: IDFilter | null | undefined;
  /** The change set of the event; null for tokens that were issued and decisions of access reviews, which change no administered record, and for events from before change sets were introduced. */
  changeSet?: ChangeSetFilter | null | undefined;
  /** This condition is not met. */
  not?: AuditEventFilter | null | undefined;
  /** Time of the event. */
  occurredAt?: DateTimeFilter | null | undefined;
  /** At least one of these conditions is met. */
  or?: Array<AuditEventFilter> | null | undefined;
  /** Guid or id of the affected record. */
  subjectId?: StringFilter | null | undefined;
  /** Type of the affected record. */
  subjectType?: StringFilter | null | undefined;
  /** Trace id of the request. */
  traceId?: StringFilter | null | undefined;
};

/** Conditions on related records. */
export type AuditEventListFilter = {
  /** No related record matches. */
  none?: AuditEventFilter | null | undefined;
  /** At least one related record matches. */
  some?: AuditEventFilter | null | undefined;
};

/** Conditions on a boolean, combined with AND. */
export type BooleanFilter = {
  /** Equal to this value. */
  eq?: boolean | null | undefined;
  /** Whether the field is null. */
  isNull?: boolean | null | undefined;
  /** Not equal to this value, or null. */
  ne?: boolean | null | undefined;
};

/** A change. Exactly one field is required. */
export type ChangeInput =
  {   /** The same as the mutation assignAccessScope. */
  assignAccessScope: AssignAccessScopeChange; assignProfile?: never; assignProfiles?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; undoChangeSet?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignAccessScope?: never;   /** The same as the mutation assignProfile. */
  assignProfile: AssignProfileChange; assignProfiles?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; undoChangeSet?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignAccessScope?: never; assignProfile?: never;   /** Assigns a profile in a role to up to 10,000 users. The assignments of users who hold it already get the end; without validUntil they stay as they are. */
  assignProfiles: AssignProfilesChange; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; undoChangeSet?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignAccessScope?: never; assignProfile?: never; assignProfiles?: never;   /** The same as the mutation createAccessScope. */
  createAccessScope: CreateAccessScopeChange; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; undoChangeSet?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignAccessScope?: never; assignProfile?: never; assignProfiles?: never; createAccessScope?: never;   /** The same as the mutation createAccessScopeApplicationsMappers. */
  createAccessScopeApplicationsMappers: CreateAccessScopeApplicationsMappersChange; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; undoChangeSet?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignAccessScope?: never; assignProfile?: never; assignProfiles?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never;   /** The same as the mutation createAccessScopeType. */
  createAccessScopeType: CreateAccessScopeTypeChange; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; undoChangeSet?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignAccessScope?: never; assignProfile?: never; assignProfiles?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never;   /** The same as the mutation createAccessScopeTypeApplicationsMappers. */
  createAccessScopeTypeApplicationsMappers: CreateAccessScopeTypeApplicationsMappersChange; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; undoChangeSet?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignAccessScope?: never; assignProfile?: never; assignProfiles?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never;   /** The same as the mutation createApplication. */
  createApplication: CreateApplicationChange; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; undoChangeSet?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignAccessScope?: never; assignProfile?: never; assignProfiles?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never;   /** The same as the mutation createProfile. */
  createProfile: CreateProfileChange; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; undoChangeSet?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignAccessScope?: never; assignProfile?: never; assignProfiles?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never;   /** The same as the mutation createRole. */
  createRole: CreateRoleChange; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; undoChangeSet?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignAccessScope?: never; assignProfile?: never; assignProfiles?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never;   /** The same as the mutation createUser. */
  createUser: CreateUserChange; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; undoChangeSet?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignAccessScope?: never; assignProfile?: never; assignProfiles?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never;   /** The same as the mutation deactivateAccessScope. */
  deactivateAccessScope: DeactivateAccessScopeChange; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; undoChangeSet?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignAccessScope?: never; assignProfile?: never; assignProfiles?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never;   /** The same as the mutation deactivateAccessScopeType. */
  deactivateAccessScopeType: DeactivateAccessScopeTypeChange; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; undoChangeSet?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignAccessScope?: never; assignProfile?: never; assignProfiles?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never;   /** The same as the mutation deactivateUser. */
  deactivateUser: DeactivateUserChange; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; undoChangeSet?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignAccessScope?: never; assignProfile?: never; assignProfiles?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never;   /** The same as the mutation deleteAccessScopeApplicationsMappers. */
  deleteAccessScopeApplicationsMappers: DeleteAccessScopeApplicationsMappersChange; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; undoChangeSet?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignAccessScope?: never; assignProfile?: never; assignProfiles?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never;   /** The same as the mutation deleteAccessScopeTypeApplicationsMappers. */
  deleteAccessScopeTypeApplicationsMappers: DeleteAccessScopeTypeApplicationsMappersChange; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; undoChangeSet?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignAccessScope?: never; assignProfile?: never; assignProfiles?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never;   /** The same as the mutation deleteProfile. */
  deleteProfile: DeleteProfileChange; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; undoChangeSet?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignAccessScope?: never; assignProfile?: never; assignProfiles?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never;   /** The same as the mutation deleteRole. */
  deleteRole: DeleteRoleChange; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; undoChangeSet?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignAccessScope?: never; assignProfile?: never; assignProfiles?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never;   /** Adds, changes or removes a mapping of an application to an access scope or an access scope type. */
  mapping: MappingChangeInput; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; undoChangeSet?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignAccessScope?: never; assignProfile?: never; assignProfiles?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never;   /** The same as the mutation setProfileAccessScopes. */
  setProfileAccessScopes: SetProfileAccessScopesChange; setTranslations?: never; translation?: never; unassignProfile?: never; undoChangeSet?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignAccessScope?: never; assignProfile?: never; assignProfiles?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never;   /** The same as the mutation setTranslations. */
  setTranslations: SetTranslationsChange; translation?: never; unassignProfile?: never; undoChangeSet?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignAccessScope?: never; assignProfile?: never; assignProfiles?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never;   /** Adds, changes or removes a translation. */
  translation: TranslationChangeInput; unassignProfile?: never; undoChangeSet?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignAccessScope?: never; assignProfile?: never; assignProfiles?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never;   /** The same as the mutation unassignProfile. */
  unassignProfile: UnassignProfileChange; undoChangeSet?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignAccessScope?: never; assignProfile?: never; assignProfiles?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never;   /** Undoes a change set. The request must contain no other change. */
  undoChangeSet: UndoChangeSetChange; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignAccessScope?: never; assignProfile?: never; assignProfiles?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; undoChangeSet?: never;   /** The same as the mutation updateAccessScope. */
  updateAccessScope: UpdateAccessScopeChange; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignAccessScope?: never; assignProfile?: never; assignProfiles?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; undoChangeSet?: never; updateAccessScope?: never;   /** The same as the mutation updateAccessScopeApplicationsMappers. */
  updateAccessScopeApplicationsMappers: UpdateAccessScopeApplicationsMappersChange; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignAccessScope?: never; assignProfile?: never; assignProfiles?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; undoChangeSet?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never;   /** The same as the mutation updateAccessScopeType. */
  updateAccessScopeType: UpdateAccessScopeTypeChange; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignAccessScope?: never; assignProfile?: never; assignProfiles?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; undoChangeSet?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never;   /** The same as the mutation updateAccessScopeTypeApplicationsMappers. */
  updateAccessScopeTypeApplicationsMappers: UpdateAccessScopeTypeApplicationsMappersChange; updateApplication?: never; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignAccessScope?: never; assignProfile?: never; assignProfiles?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; undoChangeSet?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never;   /** The same as the mutation updateApplication. */
  updateApplication: UpdateApplicationChange; updateProfile?: never; updateRole?: never; updateUser?: never; }
  |  { assignAccessScope?: never; assignProfile?: never; assignProfiles?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; undoChangeSet?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never;   /** The same as the mutation updateProfile. */
  updateProfile: UpdateProfileChange; updateRole?: never; updateUser?: never; }
  |  { assignAccessScope?: never; assignProfile?: never; assignProfiles?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; undoChangeSet?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never;   /** The same as the mutation updateRole. */
  updateRole: UpdateRoleChange; updateUser?: never; }
  |  { assignAccessScope?: never; assignProfile?: never; assignProfiles?: never; createAccessScope?: never; createAccessScopeApplicationsMappers?: never; createAccessScopeType?: never; createAccessScopeTypeApplicationsMappers?: never; createApplication?: never; createProfile?: never; createRole?: never; createUser?: never; deactivateAccessScope?: never; deactivateAccessScopeType?: never; deactivateUser?: never; deleteAccessScopeApplicationsMappers?: never; deleteAccessScopeTypeApplicationsMappers?: never; deleteProfile?: never; deleteRole?: never; mapping?: never; setProfileAccessScopes?: never; setTranslations?: never; translation?: never; unassignProfile?: never; undoChangeSet?: never; updateAccessScope?: never; updateAccessScopeApplicationsMappers?: never; updateAccessScopeType?: never; updateAccessScopeTypeApplicationsMappers?: never; updateApplication?: never; updateProfile?: never; updateRole?: never;   /** The same as the mutation updateUser. */
  updateUser: UpdateUserChange; };

/** Conditions on ChangeSet records, combined with AND. */
export type ChangeSetFilter = {
  /** Guid of the user or connector that made the change set. */
  actor?: UUIDFilter | null | undefined;
  /** The user who made the change set; null if there is no such user. Requires admin:read. */
  actorNavigation?: UserFilter | null | undefined;
  /** All of these conditions are met. */
  and?: Array<ChangeSetFilter> | null | undefined;
  /** Guid of the change set. */
  changeSetGuid?: UUIDFilter | null | undefined;
  /** The audit events of the change set; null without admin:security. */
  events?: AuditEventListFilter | null | undefined;
  /** The interface: `graphql`, `rest`, `scim`, `cli`, `schedule` for changes at a planned time, or `sql` for statements outside the service. */
  face?: StringFilter | null | undefined;
  /** Whether a command on the server made the change set without the approval that the setting APPROVALS requires. */
  isUnapproved?: BooleanFilter | null | undefined;
  /** Name of the applied file in git; null if there is none. */
  managedBy?: StringFilter | null | undefined;
  /** This condition is not met. */
  not?: ChangeSetFilter | null | undefined;
  /** The reason that the user gave. */
  note?: StringFilter | null | undefined;
  /** Time of the change. */
  occurredAt?: DateTimeFilter | null | undefined;
  /** At least one of these conditions is met. */
  or?: Array<ChangeSetFilter> | null | undefined;
  /** Every word is contained in note, ignoring accents and case. */
  text?: string | null | undefined;
  /** Trace id of the request. */
  traceId?: StringFilter | null | undefined;
  /** The change set that this one undoes. */
  undoes?: ChangeSetFilter | null | undefined;
  /** The versions of the changed records, with their fields; null for a dry run. */
  versions?: RecordVersionListFilter | null | undefined;
};

/** Conditions on Client records, combined with AND. */
export type ClientFilter = {
  /** The audiences that tokens of the client may have, separated by spaces, from the settings `AUDIENCES` and `ADMIN_AUDIENCE`; null: all. */
  allowedAudiences?: StringFilter | null | undefined;
  /** All of these conditions are met. */
  and?: Array<ClientFilter> | null | undefined;
  /** Id of the client. */
  clientId?: StringFilter | null | undefined;
  /** When the client was created. */
  createdAt?: DateTimeFilter | null | undefined;
  /** Description shown to people. */
  description?: StringFilter | null | undefined;
  /** Whether the tokens of the client must be bound to a key (DPoP). */
  dpopRequired?: BooleanFilter | null | undefined;
  /** Whether the client may request tokens. */
  isActive?: BooleanFilter | null | undefined;
  /** Last use of the client’s keys, to the minute. */
  keysLastUsedAt?: DateTimeFilter | null | undefined;
  /** Whether the client may request decisions about every user (AuthZEN). */
  mayEvaluate?: BooleanFilter | null | undefined;
  /** Whether the client may manage event streams of its own and get their events (SSF). */
  mayReceiveEvents?: BooleanFilter | null | undefined;
  /** Display name. */
  name?: StringFilter | null | undefined;
  /** This condition is not met. */
  not?: ClientFilter | null | undefined;
  /** At least one of these conditions is met. */
  or?: Array<ClientFilter> | null | undefined;
  /** The policy for requests and tokens of the client: `hardened`, or null for the policy of the service (TOKEN_POLICY). */
  policy?: StringFilter | null | undefined;
  /** When the previous secret stops working. */
  previousSecretEndsAt?: DateTimeFilter | null | undefined;
  /** Last use of the previous secret, to the minute. */
  previousSecretLastUsedAt?: DateTimeFilter | null | undefined;
  /** Increases with each change. Send it as ifRevision to avoid overwriting other changes. */
  revision?: IntFilter | null | undefined;
  /** Last use of the secret, to the minute. */
  secretLastUsedAt?: DateTimeFilter | null | undefined;
  /** Every word is contained in name or clientId, ignoring accents and case. */
  text?: string | null | undefined;
};

/** A sort key. Exactly one field is required. */
export type ClientOrderBy = {
  /** The audiences that tokens of the client may have, separated by spaces, from the settings `AUDIENCES` and `ADMIN_AUDIENCE`; null: all. */
  allowedAudiences?: Direction | null | undefined;
  /** Id of the client. */
  clientId?: Direction | null | undefined;
  /** When the client was created. */
  createdAt?: Direction | null | undefined;
  /** Description shown to people. */
  description?: Direction | null | undefined;
  /** Whether the tokens of the client must be bound to a key (DPoP). */
  dpopRequired?: Direction | null | undefined;
  /** Whether the client may request tokens. */
  isActive?: Direction | null | undefined;
  /** Last use of the client’s keys, to the minute. */
  keysLastUsedAt?: Direction | null | undefined;
  /** Whether the client may request decisions about every user (AuthZEN). */
  mayEvaluate?: Direction | null | undefined;
  /** Whether the client may manage event streams of its own and get their events (SSF). */
  mayReceiveEvents?: Direction | null | undefined;
  /** Display name. */
  name?: Direction | null | undefined;
  /** The policy for requests and tokens of the client: `hardened`, or null for the policy of the service (TOKEN_POLICY). */
  policy?: Direction | null | undefined;
  /** When the previous secret stops working. */
  previousSecretEndsAt?: Direction | null | undefined;
  /** Last use of the previous secret, to the minute. */
  previousSecretLastUsedAt?: Direction | null | undefined;
  /** Increases with each change. Send it as ifRevision to avoid overwriting other changes. */
  revision?: Direction | null | undefined;
  /** Last use of the secret, to the minute. */
  secretLastUsedAt?: Direction | null | undefined;
};

/** Conditions on Connector records, combined with AND. */
export type ConnectorFilter = {
  /** All of these conditions are met. */
  and?: Array<ConnectorFilter> | null | undefined;
  /** Id of the client that may request tokens for the connector (client_credentials); null if there is none. */
  clientId?: StringFilter | null | undefined;
  /** Guid of the connector: the author of its changes. */
  connectorGuid?: UUIDFilter | null | undefined;
  /** Name of the connector. */
  connectorId?: StringFilter | null | undefined;
  /** When the connector was created. */
  createdAt?: DateTimeFilter | null | undefined;
  /** The `idpname` of the people that the connector manages. */
  idpname?: StringFilter | null | undefined;
  /** Whether the connector is revoked: its requests are refused. */
  isRevoked?: BooleanFilter | null | undefined;
  /** Last request of the connector, to the minute. */
  lastUsedAt?: DateTimeFilter | null | undefined;
  /** This condition is not met. */
  not?: ConnectorFilter | null | undefined;
  /** At least one of these conditions is met. */
  or?: Array<ConnectorFilter> | null | undefined;
  /** When the previous token stops working. */
  previousTokenEndsAt?: DateTimeFilter | null | undefined;
  /** Increases with each change. Send it as ifRevision to avoid overwriting other changes. */
  revision?: IntFilter | null | undefined;
  /** The role in which the connector assigns profiles. Requires admin:read. */
  role?: RoleFilter | null | undefined;
  /** Id of the role in which the connector assigns profiles. */
  roleId?: StringFilter | null | undefined;
};

/** A sort key. Exactly one field is required. */
export type ConnectorOrderBy = {
  /** Id of the client that may request tokens for the connector (client_credentials); null if there is none. */
  clientId?: Direction | null | undefined;
  /** Guid of the connector: the author of its changes. */
  connectorGuid?: Direction | null | undefined;
  /** Name of the connector. */
  connectorId?: Direction | null | undefined;
  /** When the connector was created. */
  createdAt?: Direction | null | undefined;
  /** The `idpname` of the people that the connector manages. */
  idpname?: Direction | null | undefined;
  /** Whether the connector is revoked: its requests are refused. */
  isRevoked?: Direction | null | undefined;
  /** Last request of the connector, to the minute. */
  lastUsedAt?: Direction | null | undefined;
  /** When the previous token stops working. */
  previousTokenEndsAt?: Direction | null | undefined;
  /** Increases with each change. Send it as ifRevision to avoid overwriting other changes. */
  revision?: Direction | null | undefined;
  /** The role in which the connector assigns profiles. Requires admin:read. */
  role?: RoleOrderBy | null | undefined;
  /** Id of the role in which the connector assigns profiles. */
  roleId?: Direction | null | undefined;
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
  /** The fields of the record. */
  input: CreateAccessScopeInput;
};

/** The fields of a new AccessScope. */
export type CreateAccessScopeInput = {
  /** Guid of the access scope. */
  accessScopeGuid?: string | null | undefined;
  /** Key in the `scopes` claim. It must not be `*` or contain white space, control or format characters, quotes or backslashes. */
  accessScopeKey?: string | null | undefined;
  /** Guid of the access scope type. */
  accessScopeTypeGuid: string;
  /** Number of the object that the access scope stands for. The `scopes` claim contains this number if there is no key. */
  concreteId?: number | null | undefined;
  /** Description shown to people. */
  description?: string | null | undefined;
  /** Whether the access scope is active. New tokens contain only active access scopes. */
  isActive?: boolean | null | undefined;
  /** Whether the access scope stands for every access scope of its type. */
  isWildcard?: boolean | null | undefined;
  /** Display name. */
  name: string;
  /** Name of the translation group of the record. */
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
  /** The fields of the record. */
  input: CreateAccessScopeTypeInput;
};

/** The fields of a new AccessScopeType. */
export type CreateAccessScopeTypeInput = {
  /** Guid of the access scope type. */
  accessScopeTypeGuid?: string | null | undefined;
  /** Description shown to people. */
  description?: string | null | undefined;
  /** Whether the access scope type is active. New tokens contain no access scopes of an inactive type. */
  isActive?: boolean | null | undefined;
  /** Unique name. It must not resemble `admin` or contain colons, white space, control or format characters, quotes or backslashes. */
  name: string;
  /** Name of the translation group of the record. */
  translationGroup?: string | null | undefined;
};

/** The arguments of createApplication. */
export type CreateApplicationChange = {
  /** The fields of the record. */
  input: CreateApplicationInput;
};

/** The fields of a new Application. */
export type CreateApplicationInput = {
  /** Type of the application. */
  appType: string;
  /** Guid of the application. */
  applicationGuid?: string | null | undefined;
  /** Description shown to people. */
  description?: string | null | undefined;
  /** Link to the application, unless the mapping has an individual link. */
  globalExternalLink?: string | null | undefined;
  /** The icon. */
  iconDefault: string;
  /** The icon under the pointer. */
  iconHover: string;
  /** Whether the application is shown in an iframe. */
  isIframe?: boolean | null | undefined;
  /** Whether people may request access to the application. */
  isRequestable?: boolean | null | undefined;
  /** Whether the application requires a token exchange. */
  isTokenExchangeRequired?: boolean | null | undefined;
  /** How the link opens. */
  linkType: string;
  /** Display name. */
  name: string;
  /** Id of the profile whose holders own the application: they may approve changes of its mappings; null if it has no owner. */
  ownerProfileId?: string | null | undefined;
  /** How the application is rendered. */
  renderingMode: string;
  /** Name of the translation group of the record. */
  translationGroup?: string | null | undefined;
};

/** The fields of a new client. The client is active. */
export type CreateClientInput = {
  /** The audiences that tokens of the client may have, separated by spaces, from the settings `AUDIENCES` and `ADMIN_AUDIENCE`; null: all. */
  allowedAudiences?: string | null | undefined;
  /** Id of the client. */
  clientId: string;
  /** Description shown to people. */
  description?: string | null | undefined;
  /** Whether the tokens of the client must be bound to a key (DPoP). */
  dpopRequired?: boolean | null | undefined;
  /** The public keys with which the client authenticates by assertions: a JSON Web Key Set as text; null if there are none. */
  jwks?: string | null | undefined;
  /** The URL of the public keys of the client, as an alternative to jwks; null if there is none. */
  jwksUri?: string | null | undefined;
  /** Whether the client may request decisions about every user (AuthZEN). */
  mayEvaluate?: boolean | null | undefined;
  /** Whether the client may manage event streams of its own and get their events (SSF). */
  mayReceiveEvents?: boolean | null | undefined;
  /** Display name. */
  name: string;
  /** The policy for requests and tokens of the client: `hardened`, or null for the policy of the service (TOKEN_POLICY). */
  policy?: string | null | undefined;
};

/** The arguments of createProfile. */
export type CreateProfileChange = {
  /** The fields of the record. */
  input: CreateProfileInput;
};

/** The fields of a new Profile. */
export type CreateProfileInput = {
  /** Description shown to people. */
  description?: string | null | undefined;
  /** Name of a group of an identity provider (SCIM). Connectors assign the profile to the members of this group; null if there is none. */
  externalGroup?: string | null | undefined;
  /** Whether connectors may assign and unassign the profile although it has administration scopes. */
  externalGroupAdministers?: boolean | null | undefined;
  /** Display name. */
  name: string;
  /** Id of the profile whose holders own the profile: they may approve changes of who holds it; null if it has no owner. */
  ownerProfileId?: string | null | undefined;
  /** Id of the profile. */
  profileId: string;
};

/** The arguments of createRole. */
export type CreateRoleChange = {
  /** The fields of the record. */
  input: CreateRoleInput;
};

/** The fields of a new Role. */
export type CreateRoleInput = {
  /** Description shown to people. */
  description?: string | null | undefined;
  /** Display name. */
  name: string;
  /** Id of the role. */
  roleId: string;
};

/** The arguments of createUser. */
export type CreateUserChange = {
  /** The fields of the record. */
  input: CreateUserInput;
};

/** The fields of a new User. */
export type CreateUserInput = {
  /** When the terms of use were accepted. */
  anbacceptanceDate?: string | null | undefined;
  /** The accepted version of the terms of use. */
  anbversion?: string | null | undefined;
  /** Guid of the assigned customer support. */
  assignedCustomerSupportGuid?: string | null | undefined;
  /** Department. */
  department?: string | null | undefined;
  /** E-mail address. */
  email?: string | null | undefined;
  /** The e-mail subscriptions. */
  emailSubscriptions?: string | null | undefined;
  /** Type of the e-mail address, as SCIM provisions it; null for work. */
  emailType?: string | null | undefined;
  /** First name. */
  firstName?: string | null | undefined;
  /** Id of the user at the identity provider. */
  idpid?: string | null | undefined;
  /** Name of the identity provider of the user. */
  idpname?: string | null | undefined;
  /** When the user was invited. */
  invitationDate?: string | null | undefined;
  /** Guid of the user who sent the invitation. */
  invitedBy?: string | null | undefined;
  /** Whether the user is blocked: exchanges and renewals fail. */
  isBlocked?: boolean | null | undefined;
  /** Job title. */
  jobTitle?: string | null | undefined;
  /** Addition to the job title. */
  jobTitleAdditional?: string | null | undefined;
  /** Job title as a number. */
  jobTitleId?: number | null | undefined;
  /** Preferred language. */
  languagePreference?: string | null | undefined;
  /** Last name. */
  lastName?: string | null | undefined;
  /** The notification options. */
  notificationOptions?: string | null | undefined;
  /** Form of address. */
  salutation?: string | null | undefined;
  /** Status as text. */
  status?: string | null | undefined;
  /** Status as a number. */
  statusId?: number | null | undefined;
  /** Telephone number. */
  telephone?: string | null | undefined;
  /** Type of the telephone number, as SCIM provisions it; null for work. */
  telephoneType?: string | null | undefined;
  /** Academic or other title. */
  title?: string | null | undefined;
  /** Preferences of user interfaces. */
  uipreferences?: string | null | undefined;
  /** Guid of the user: the `sub` of tokens. */
  userGuid?: string | null | undefined;
  /** Name of the user at the identity provider, as SCIM provisions it. */
  userName?: string | null | undefined;
};

/** Conditions on a date and time, combined with AND. */
export type DateTimeFilter = {
  /** Equal to this value. */
  eq?: string | null | undefined;
  /** Greater than or equal to this value; texts compare by code point. */
  ge?: string | null | undefined;
  /** Greater than this value; texts compare by code point. */
  gt?: string | null | undefined;
  /** Equal to one of these values. */
  in?: Array<string> | null | undefined;
  /** Whether the field is null. */
  isNull?: boolean | null | undefined;
  /** Less than or equal to this value; texts compare by code point. */
  le?: string | null | undefined;
  /** Less than this value; texts compare by code point. */
  lt?: string | null | undefined;
  /** Not equal to this value, or null. */
  ne?: string | null | undefined;
  /** Equal to none of these values, or null. */
  notIn?: Array<string> | null | undefined;
};

/** The arguments of deactivateAccessScope. */
export type DeactivateAccessScopeChange = {
  /** Guid of the access scope. */
  accessScopeGuid: string;
  /** The revision that the caller has read. If the record has changed since, the request fails with CONFLICT. */
  ifRevision?: number | null | undefined;
};

/** The arguments of deactivateAccessScopeType. */
export type DeactivateAccessScopeTypeChange = {
  /** Guid of the access scope type. */
  accessScopeTypeGuid: string;
  /** The revision that the caller has read. If the record has changed since, the request fails with CONFLICT. */
  ifRevision?: number | null | undefined;
};

/** The arguments of deactivateUser. */
export type DeactivateUserChange = {
  /** The revision that the caller has read. If the record has changed since, the request fails with CONFLICT. */
  ifRevision?: number | null | undefined;
  /** Guid of the user: the `sub` of tokens. */
  userGuid: string;
};

/** The arguments of deleteAccessScopeApplicationsMappers. */
export type DeleteAccessScopeApplicationsMappersChange = {
  /** Guids of the access scopes. */
  accessScopeGuids: Array<string>;
  /** Guid of the application. */
  applicationGuid: string;
  /** The revisions that the caller has read, in the order of the guids. If a mapping has changed since, the request fails with CONFLICT. */
  ifRevisions?: Array<number> | null | undefined;
};

/** The arguments of deleteAccessScopeTypeApplicationsMappers. */
export type DeleteAccessScopeTypeApplicationsMappersChange = {
  /** Guids of the access scope types. */
  accessScopeTypeGuids: Array<string>;
  /** Guid of the application. */
  applicationGuid: string;
  /** The revisions that the caller has read, in the order of the guids. If a mapping has changed since, the request fails with CONFLICT. */
  ifRevisions?: Array<number> | null | undefined;
};

/** The arguments of deleteProfile. */
export type DeleteProfileChange = {
  /** The revision that the caller has read. If the record has changed since, the request fails with CONFLICT. */
  ifRevision?: number | null | undefined;
  /** Id of the profile. */
  profileId: string;
};

/** The arguments of deleteRole. */
export type DeleteRoleChange = {
  /** The revision that the caller has read. If the record has changed since, the request fails with CONFLICT. */
  ifRevision?: number | null | undefined;
  /** Id of the role. */
  roleId: string;
};

/** The direction of a sort order. */
export type Direction =
  /** Ascending; nulls first. */
  | 'ASC'
  /** Descending; nulls last. */
  | 'DESC';

/** Who gains or loses access through a change. */
export type EffectOutcomeKind =
  /** Users gain access, and users lose access. */
  | 'BOTH'
  /** Users gain access. */
  | 'GAINS'
  /** Users lose access. */
  | 'LOSES'
  /** The change concerns access, but nobody gains or loses any: see `reason`. */
  | 'NOBODY'
  /** The change cannot give or remove access. */
  | 'UNCHANGED';

/** Why nobody gains or loses access by a change. */
export type EffectOutcomeReason =
  /** The users concerned have the access anyway: see `openBy`. */
  | 'ALREADY_OPEN'
  /** All users concerned are blocked. */
  | 'BLOCKED'
  /** Only the end of a grant changes. */
  | 'END_CHANGED'
  /** No profile has the access scope, or nobody holds the profiles. */
  | 'NOT_HELD'
  /** The profile opens no application and has no entry of scopes. */
  | 'OPENS_NOTHING'
  /** The application, the access scope or its type is inactive. */
  | 'OUT_OF_USE'
  /** The state of the mapping does not open the application. */
  | 'STATE_DOES_NOT_OPEN';

/** Conditions on an id, combined with AND. */
export type IDFilter = {
  /** Equal to this value. */
  eq?: string | null | undefined;
  /** Greater than or equal to this value; texts compare by code point. */
  ge?: string | null | undefined;
  /** Greater than this value; texts compare by code point. */
  gt?: string | null | undefined;
  /** Equal to one of these values. */
  in?: Array<string> | null | undefined;
  /** Whether the field is null. */
  isNull?: boolean | null | undefined;
  /** Less than or equal to this value; texts compare by code point. */
  le?: string | null | undefined;
  /** Less than this value; texts compare by code point. */
  lt?: string | null | undefined;
  /** Not equal to this value, or null. */
  ne?: string | null | undefined;
  /** Equal to none of these values, or null. */
  notIn?: Array<string> | null | undefined;
};

/** Conditions on an integer, combined with AND. */
export type IntFilter = {
  /** Equal to this value. */
  eq?: number | null | undefined;
  /** Greater than or equal to this value; texts compare by code point. */
  ge?: number | null | undefined;
  /** Greater than this value; texts compare by code point. */
  gt?: number | null | undefined;
  /** Equal to one of these values. */
  in?: Array<number> | null | undefined;
  /** Whether the field is null. */
  isNull?: boolean | null | undefined;
  /** Less than or equal to this value; texts compare by code point. */
  le?: number | null | undefined;
  /** Less than this value; texts compare by code point. */
  lt?: number | null | undefined;
  /** Not equal to this value, or null. */
  ne?: number | null | undefined;
  /** Equal to none of these values, or null. */
  notIn?: Array<number> | null | undefined;
};

/** A change of one mapping: the state that was read and the new state. */
export type MappingChangeInput = {
  /** Guid of the access scope. Exactly one of `accessScopeGuid` and `accessScopeTypeGuid` is required. */
  accessScopeGuid?: string | null | undefined;
  /** Guid of the access scope type. */
  accessScopeTypeGuid?: string | null | undefined;
  /** Guid of the application. */
  applicationGuid: string;
  /** The state that was read, or null if there was no mapping. If the current state differs, the request fails with CONFLICT. */
  from?: string | null | undefined;
  /** Link to the application for this access scope, which replaces the global link. */
  individualExternalLink?: string | null | undefined;
  /** The new state, or null to remove the mapping. */
  to?: string | null | undefined;
};

/** Whether a client is ready for the hardened policy. */
export type PolicyReadinessState =
  /** The hardened policy applies to the client already. */
  | 'HARDENED'
  /** The hardened policy would have refused requests of the client. */
  | 'NOT_READY'
  /** No requests of the client were observed, or no rehearsal took place. */
  | 'NOT_SEEN'
  /** The hardened policy would have accepted all observed requests of the client. */
  | 'READY';

/** Why the hardened policy would refuse a request or end its session. */
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

/** Conditions on ProfileAccessScope records, combined with AND. */
export type ProfileAccessScopeFilter = {
  /** The access scope. */
  accessScope?: AccessScopeFilter | null | undefined;
  /** Number of the access scope. */
  accessScopeId?: IntFilter | null | undefined;
  /** All of these conditions are met. */
  and?: Array<ProfileAccessScopeFilter> | null | undefined;
  /** Guid of the user who created the record. */
  createdBy?: UUIDFilter | null | undefined;
  /** The user who created the record; null if there is no such user. */
  createdByNavigation?: UserFilter | null | undefined;
  /** When the record was created. */
  createdDate?: DateTimeFilter | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: UUIDFilter | null | undefined;
  /** The user who last changed the record; null before the first change, or if there is no such user. */
  modifiedByNavigation?: UserFilter | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: DateTimeFilter | null | undefined;
  /** This condition is not met. */
  not?: ProfileAccessScopeFilter | null | undefined;
  /** At least one of these conditions is met. */
  or?: Array<ProfileAccessScopeFilter> | null | undefined;
  /** The profile. */
  profile?: ProfileFilter | null | undefined;
  /** Number of the link. */
  profileAccessScopeId?: IntFilter | null | undefined;
  /** Id of the profile. */
  profileId?: StringFilter | null | undefined;
  /** Increases with each change. Send it as ifRevision to avoid overwriting other changes. */
  revision?: IntFilter | null | undefined;
  /** When the profile loses the access scope; null: never. From then on, tokens and decisions ignore the link. */
  validUntil?: DateTimeFilter | null | undefined;
};

/** Conditions on related records. */
export type ProfileAccessScopeListFilter = {
  /** No related record matches. */
  none?: ProfileAccessScopeFilter | null | undefined;
  /** At least one related record matches. */
  some?: ProfileAccessScopeFilter | null | undefined;
};

/** Conditions on Profile records, combined with AND. */
export type ProfileFilter = {
  /** All of these conditions are met. */
  and?: Array<ProfileFilter> | null | undefined;
  /** Guid of the user who created the record. */
  createdBy?: UUIDFilter | null | undefined;
  /** The user who created the record; null if there is no such user. */
  createdByNavigation?: UserFilter | null | undefined;
  /** When the record was created. */
  createdDate?: DateTimeFilter | null | undefined;
  /** Description shown to people. */
  description?: StringFilter | null | undefined;
  /** Name of a group of an identity provider (SCIM). Connectors assign the profile to the members of this group; null if there is none. */
  externalGroup?: StringFilter | null | undefined;
  /** Whether connectors may assign and unassign the profile although it has administration scopes. */
  externalGroupAdministers?: BooleanFilter | null | undefined;
  /** Name of the file in git that manages the record, or `scim:` and the name of the connector; null if there is none. */
  managedBy?: StringFilter | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: UUIDFilter | null | undefined;
  /** The user who last changed the record; null before the first change, or if there is no such user. */
  modifiedByNavigation?: UserFilter | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: DateTimeFilter | null | undefined;
  /** Display name. */
  name?: StringFilter | null | undefined;
  /** This condition is not met. */
  not?: ProfileFilter | null | undefined;
  /** At least one of these conditions is met. */
  or?: Array<ProfileFilter> | null | undefined;
  /** Id of the profile whose holders own the profile: they may approve changes of who holds it; null if it has no owner. */
  ownerProfileId?: StringFilter | null | undefined;
  /** The access scopes of the profile. */
  profileAccessScopes?: ProfileAccessScopeListFilter | null | undefined;
  /** Id of the profile. */
  profileId?: StringFilter | null | undefined;
  /** Increases with each change. Send it as ifRevision to avoid overwriting other changes. */
  revision?: IntFilter | null | undefined;
  /** Every word is contained in name or profileId, ignoring accents and case. */
  text?: string | null | undefined;
  /** The users who hold the profile, with their roles. */
  userProfiles?: UserProfileListFilter | null | undefined;
};

/** A sort key. Exactly one field is required. */
export type ProfileOrderBy = {
  /** Guid of the user who created the record. */
  createdBy?: Direction | null | undefined;
  /** The user who created the record; null if there is no such user. */
  createdByNavigation?: UserOrderBy | null | undefined;
  /** When the record was created. */
  createdDate?: Direction | null | undefined;
  /** Description shown to people. */
  description?: Direction | null | undefined;
  /** Name of a group of an identity provider (SCIM). Connectors assign the profile to the members of this group; null if there is none. */
  externalGroup?: Direction | null | undefined;
  /** Whether connectors may assign and unassign the profile although it has administration scopes. */
  externalGroupAdministers?: Direction | null | undefined;
  /** Name of the file in git that manages the record, or `scim:` and the name of the connector; null if there is none. */
  managedBy?: Direction | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: Direction | null | undefined;
  /** The user who last changed the record; null before the first change, or if there is no such user. */
  modifiedByNavigation?: UserOrderBy | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: Direction | null | undefined;
  /** Display name. */
  name?: Direction | null | undefined;
  /** Id of the profile whose holders own the profile: they may approve changes of who holds it; null if it has no owner. */
  ownerProfileId?: Direction | null | undefined;
  /** Id of the profile. */
  profileId?: Direction | null | undefined;
  /** Increases with each change. Send it as ifRevision to avoid overwriting other changes. */
  revision?: Direction | null | undefined;
};

/** Conditions on proposals, combined with AND. */
export type ProposalFilter = {
  /** Whether the proposal waits for the caller: it is open, another person made it, and the caller may decide. */
  forMe?: boolean | null | undefined;
  /** Whether the proposal is a request for access by the person concerned. */
  isRequest?: boolean | null | undefined;
  /** This user made the proposal. */
  proposedBy?: string | null | undefined;
  /** The state is one of these. */
  state?: Array<ProposalState> | null | undefined;
  /** Every word is contained in the title, the note, or the name or e-mail address of the author, ignoring accents and case. */
  text?: string | null | undefined;
};

/** A sort key. Exactly one field is required. */
export type ProposalOrderBy = {
  /** When the changes are to be applied; null: at the approval. */
  applyAt?: Direction | null | undefined;
  /** When the proposal was approved, rejected or withdrawn. */
  decidedAt?: Direction | null | undefined;
  /** When the proposal expires if nobody decides. */
  expiresAt?: Direction | null | undefined;
  /** Guid of the proposal. */
  proposalGuid?: Direction | null | undefined;
  /** When the proposal was made. */
  proposedAt?: Direction | null | undefined;
  /** Guid of the user who made the proposal. */
  proposedBy?: Direction | null | undefined;
  /** Guid of the application that a person requests access to; null for other proposals. */
  requestedApplicationGuid?: Direction | null | undefined;
  /** When the requested access ends; null: it has no end. */
  requestedUntil?: Direction | null | undefined;
  /** What the changes do, in one line. */
  title?: Direction | null | undefined;
};

/** The state of a proposal. */
export type ProposalState =
  /** The proposal was approved, and the changes were made. */
  | 'APPLIED'
  /** Nobody decided before the proposal expired. */
  | 'EXPIRED'
  /** The proposal was approved, but the changes could not be made at `applyAt`: see `problems`. */
  | 'FAILED'
  /** Nobody has decided about the proposal yet. */
  | 'OPEN'
  /** Another person rejected the proposal. */
  | 'REJECTED'
  /** The proposal was approved and is applied at `applyAt`. */
  | 'SCHEDULED'
  /** The proposal was withdrawn. */
  | 'WITHDRAWN';

/** Conditions on RecordVersion records, combined with AND. */
export type RecordVersionFilter = {
  /** All of these conditions are met. */
  and?: Array<RecordVersionFilter> | null | undefined;
  /** The change set. */
  changeSet?: ChangeSetFilter | null | undefined;
  /** This condition is not met. */
  not?: RecordVersionFilter | null | undefined;
  /** At least one of these conditions is met. */
  or?: Array<RecordVersionFilter> | null | undefined;
  /** Guid, id or number of the record, as audit events name it. */
  recordKey?: StringFilter | null | undefined;
  /** Table of the record. */
  recordTable?: StringFilter | null | undefined;
  /** Number of the version, ascending for each record. */
  recordVersionId?: IDFilter | null | undefined;
};

/** Conditions on related records. */
export type RecordVersionListFilter = {
  /** No related record matches. */
  none?: RecordVersionFilter | null | undefined;
  /** At least one related record matches. */
  some?: RecordVersionFilter | null | undefined;
};

/** The decision about a grant. */
export type ReviewDecision =
  /** The grant ends when the review is finished. */
  | 'END'
  /** The grant ends at the date `until`. */
  | 'END_AT'
  /** The grant stays. */
  | 'KEEP';

/** A decision about an item of a review. */
export type ReviewDecisionInput = {
  /** The decision; null takes it back. */
  decision?: ReviewDecision | null | undefined;
  /** The revision of the item that was read; required to replace a decision of another reviewer. If somebody has decided since, the request fails with CONFLICT. */
  ifRevision?: number | null | undefined;
  /** Guid of the item. */
  itemGuid: string;
  /** The reason. */
  note?: string | null | undefined;
  /** When the grant ends; required with END_AT. */
  until?: string | null | undefined;
};

/** What happens to grants that nobody decided about. */
export type ReviewDefault =
  /** The grants end. */
  | 'END'
  /** The grants stay. */
  | 'KEEP';

/** The grants to review. Conditions are combined with AND; without conditions, all grants are reviewed. */
export type ReviewFilter = {
  /** True: only profiles with administration scopes; false: only profiles without them. */
  administration?: boolean | null | undefined;
  /** Only users of these departments. */
  departments?: Array<string> | null | undefined;
  /** Grants of these kinds; absent: all kinds to which the other conditions can apply. */
  kinds?: Array<ReviewGrantKind> | null | undefined;
  /** Grants of profiles that these profiles own. */
  ownerProfileIds?: Array<string> | null | undefined;
  /** Grants of these profiles. */
  profileIds?: Array<string> | null | undefined;
  /** Only profiles that users were given at least this number of days ago and have not used since. Blocked users are left out. */
  unusedDays?: number | null | undefined;
};

/** What is granted to whom. */
export type ReviewGrantKind =
  /** A profile has an access scope. */
  | 'PROFILE_ACCESS_SCOPE'
  /** A user holds a profile in a role. */
  | 'USER_PROFILE';

/** Conditions on items of a review, combined with AND. */
export type ReviewItemFilter = {
  /** Whether the grant was changed or removed after the start. */
  changed?: boolean | null | undefined;
  /** The decision is one of these. */
  decision?: Array<ReviewItemState> | null | undefined;
  /** Whether the caller decides about the item. */
  mine?: boolean | null | undefined;
  /** Whether no use by the user is known. */
  neverUsed?: boolean | null | undefined;
  /** Id of the profile that owns the item; an empty text: items without an owner. */
  owner?: string | null | undefined;
  /** Every word is contained in the name, e-mail address or department of the user, or in the name of the profile or access scope. */
  text?: string | null | undefined;
  /** The user was given the profile at least this number of days ago and has not used it since, and is not blocked. */
  unusedDays?: number | null | undefined;
  /** Whether few of the user’s colleagues hold the profile. */
  unusual?: boolean | null | undefined;
};

/** A sort key. Exactly one field is required. */
export type ReviewItemOrderBy = {
  /** Guid of the access scope that the profile has; null for a user. */
  accessScopeGuid?: Direction | null | undefined;
  /** Name of the access scope. */
  accessScopeName?: Direction | null | undefined;
  /** When the decision was made. */
  decidedAt?: Direction | null | undefined;
  /** Guid of the user who decided. */
  decidedBy?: Direction | null | undefined;
  /** Department of the user. */
  department?: Direction | null | undefined;
  /** When the grant was made or last changed. */
  grantedAt?: Direction | null | undefined;
  /** Guid of the user who made or last changed the grant. */
  grantedBy?: Direction | null | undefined;
  /** Whether fewer than 5 % of the users of the department hold the profile; only in departments of at least 20 users. */
  isUnusual?: Direction | null | undefined;
  /** Guid of the item. */
  itemGuid?: Direction | null | undefined;
  /** The day on which the user last used the profile; null: no use is known. */
  lastUsedAt?: Direction | null | undefined;
  /** Name of the file in git that manages the grant; null if there is none. */
  managedBy?: Direction | null | undefined;
  /** The number of applications that the grant opens. */
  opens?: Direction | null | undefined;
  /** Id of the profile that owns the profile of the grant; null if it has no owner. */
  ownerProfileId?: Direction | null | undefined;
  /** Id of the profile. */
  profileId?: Direction | null | undefined;
  /** Name of the profile. */
  profileName?: Direction | null | undefined;
  /** Id of the role of the user in the profile. */
  roleId?: Direction | null | undefined;
  /** When the grant is to end, with the decision END_AT. */
  until?: Direction | null | undefined;
  /** E-mail address of the user. */
  userEmail?: Direction | null | undefined;
  /** Guid of the user who holds the profile; null for an access scope of a profile. */
  userGuid?: Direction | null | undefined;
  /** Name of the user. */
  userName?: Direction | null | undefined;
  /** When the grant ends without a decision; null: never. */
  validUntil?: Direction | null | undefined;
};

/** The decision about a grant, or none. */
export type ReviewItemState =
  /** The grant ends when the review is finished. */
  | 'END'
  /** The grant ends at the date `until`. */
  | 'END_AT'
  /** The grant stays. */
  | 'KEEP'
  /** Nobody has decided yet. */
  | 'UNDECIDED';

/** Conditions on access reviews, combined with AND. */
export type ReviewListFilter = {
  /** The state is one of these. */
  state?: Array<ReviewState> | null | undefined;
  /** Only reviews whose name contains every word, ignoring accents and case. */
  text?: string | null | undefined;
};

/** What finishing a review did with a grant. */
export type ReviewOutcome =
  /** The grant was changed or removed after the start of the review, so finishing left it as it was. */
  | 'CHANGED'
  /** The grant was removed. */
  | 'ENDED'
  /** The grant ends at the date of the decision, or earlier. */
  | 'END_SET'
  /** The grant stays. */
  | 'KEPT';

/** The state of an access review. */
export type ReviewState =
  /** The review was cancelled: no grant was ended. */
  | 'CANCELLED'
  /** The grants with the decision to end were ended. */
  | 'FINISHED'
  /** The reviewers decide about the grants. */
  | 'OPEN';

/** Conditions on Role records, combined with AND. */
export type RoleFilter = {
  /** All of these conditions are met. */
  and?: Array<RoleFilter> | null | undefined;
  /** Guid of the user who created the record. */
  createdBy?: UUIDFilter | null | undefined;
  /** The user who created the record; null if there is no such user. */
  createdByNavigation?: UserFilter | null | undefined;
  /** When the record was created. */
  createdDate?: DateTimeFilter | null | undefined;
  /** Description shown to people. */
  description?: StringFilter | null | undefined;
  /** Name of the file in git that manages the record, or `scim:` and the name of the connector; null if there is none. */
  managedBy?: StringFilter | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: UUIDFilter | null | undefined;
  /** The user who last changed the record; null before the first change, or if there is no such user. */
  modifiedByNavigation?: UserFilter | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: DateTimeFilter | null | undefined;
  /** Display name. */
  name?: StringFilter | null | undefined;
  /** This condition is not met. */
  not?: RoleFilter | null | undefined;
  /** At least one of these conditions is met. */
  or?: Array<RoleFilter> | null | undefined;
  /** Increases with each change. Send it as ifRevision to avoid overwriting other changes. */
  revision?: IntFilter | null | undefined;
  /** Id of the role. */
  roleId?: StringFilter | null | undefined;
  /** Every word is contained in name or roleId, ignoring accents and case. */
  text?: string | null | undefined;
  /** The users who have the role, with their profiles. */
  userProfiles?: UserProfileListFilter | null | undefined;
};

/** A sort key. Exactly one field is required. */
export type RoleOrderBy = {
  /** Guid of the user who created the record. */
  createdBy?: Direction | null | undefined;
  /** The user who created the record; null if there is no such user. */
  createdByNavigation?: UserOrderBy | null | undefined;
  /** When the record was created. */
  createdDate?: Direction | null | undefined;
  /** Description shown to people. */
  description?: Direction | null | undefined;
  /** Name of the file in git that manages the record, or `scim:` and the name of the connector; null if there is none. */
  managedBy?: Direction | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: Direction | null | undefined;
  /** The user who last changed the record; null before the first change, or if there is no such user. */
  modifiedByNavigation?: UserOrderBy | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: Direction | null | undefined;
  /** Display name. */
  name?: Direction | null | undefined;
  /** Increases with each change. Send it as ifRevision to avoid overwriting other changes. */
  revision?: Direction | null | undefined;
  /** Id of the role. */
  roleId?: Direction | null | undefined;
};

/** A type of record that a search returns. */
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
  /** Guids of the access scopes. */
  accessScopeGuids: Array<string>;
  /** The revision that the caller has read. If the record has changed since, the request fails with CONFLICT. */
  ifRevision?: number | null | undefined;
  /** Id of the profile. */
  profileId: string;
};

/** The arguments of setTranslations. */
export type SetTranslationsChange = {
  /** The revision of the group that the caller has read, or 0 for a group without texts. If its texts have changed since, the request fails with CONFLICT. */
  ifRevision?: number | null | undefined;
  /** The translation group, to which records refer. */
  translationGroup: string;
  /** All texts of the group. */
  translations: Array<TranslationInput>;
};

/** Conditions on a text, combined with AND. */
export type StringFilter = {
  /** Contains this text. */
  contains?: string | null | undefined;
  /** Ends with this text. */
  endsWith?: string | null | undefined;
  /** Equal to this value. */
  eq?: string | null | undefined;
  /** Greater than or equal to this value; texts compare by code point. */
  ge?: string | null | undefined;
  /** Greater than this value; texts compare by code point. */
  gt?: string | null | undefined;
  /** Whether to ignore upper and lower case; absent: no. */
  ignoreCase?: boolean | null | undefined;
  /** Equal to one of these values. */
  in?: Array<string> | null | undefined;
  /** Whether the field is null. */
  isNull?: boolean | null | undefined;
  /** Less than or equal to this value; texts compare by code point. */
  le?: string | null | undefined;
  /** Less than this value; texts compare by code point. */
  lt?: string | null | undefined;
  /** Not equal to this value, or null. */
  ne?: string | null | undefined;
  /** Equal to none of these values, or null. */
  notIn?: Array<string> | null | undefined;
  /** Starts with this text. */
  startsWith?: string | null | undefined;
};

/** A field whose values are suggested. */
export type SuggestionField =
  /** `Application.appType`. */
  | 'APP_TYPE'
  /** `User.department`. */
  | 'DEPARTMENT'
  /** `User.jobTitle`. */
  | 'JOB_TITLE'
  /** `Application.linkType`. */
  | 'LINK_TYPE'
  /** `Application.renderingMode`. */
  | 'RENDERING_MODE';

/** A change of one translation: the text that was read and the new text. */
export type TranslationChangeInput = {
  /** The translated field. */
  fieldName: string;
  /** The text that was read, or null if there was none. If the current text differs, the request fails with CONFLICT. */
  from?: string | null | undefined;
  /** Language, such as `en` or `pt-BR`. */
  languageCode: string;
  /** The new text, or null to remove the translation. */
  to?: string | null | undefined;
  /** The translation group, to which records refer. */
  translationGroup: string;
};

/** Conditions on Translation records, combined with AND. */
export type TranslationFilter = {
  /** All of these conditions are met. */
  and?: Array<TranslationFilter> | null | undefined;
  /** The translated field. */
  fieldName?: StringFilter | null | undefined;
  /** Language, such as `en` or `pt-BR`. */
  languageCode?: StringFilter | null | undefined;
  /** Name of the file in git that manages the record, or `scim:` and the name of the connector; null if there is none. */
  managedBy?: StringFilter | null | undefined;
  /** This condition is not met. */
  not?: TranslationFilter | null | undefined;
  /** At least one of these conditions is met. */
  or?: Array<TranslationFilter> | null | undefined;
  /** The text. */
  translatedText?: StringFilter | null | undefined;
  /** The translation group, to which records refer. */
  translationGroup?: StringFilter | null | undefined;
};

/** A text in one language. */
export type TranslationInput = {
  /** The translated field. */
  fieldName: string;
  /** Language, such as `en` or `pt-BR`. */
  languageCode: string;
  /** The text. */
  translatedText: string;
};

/** Conditions on related records. */
export type TranslationListFilter = {
  /** No related record matches. */
  none?: TranslationFilter | null | undefined;
  /** At least one related record matches. */
  some?: TranslationFilter | null | undefined;
};

/** Conditions on a guid, combined with AND. */
export type UUIDFilter = {
  /** Equal to this value. */
  eq?: string | null | undefined;
  /** Equal to one of these values. */
  in?: Array<string> | null | undefined;
  /** Whether the field is null. */
  isNull?: boolean | null | undefined;
  /** Not equal to this value, or null. */
  ne?: string | null | undefined;
  /** Equal to none of these values, or null. */
  notIn?: Array<string> | null | undefined;
};

/** The arguments of unassignProfile. */
export type UnassignProfileChange = {
  /** The revision that the caller has read. If the record has changed since, the request fails with CONFLICT. */
  ifRevision?: number | null | undefined;
  /** Id of the profile. */
  profileId: string;
  /** Id of the role. */
  roleId: string;
  /** Guid of the user: the `sub` of tokens. */
  userGuid: string;
};

/** The arguments of undoChangeSet. */
export type UndoChangeSetChange = {
  /** Guid of the change set. */
  changeSetGuid: string;
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
  /** The revision that the caller has read. If the record has changed since, the request fails with CONFLICT. */
  ifRevision?: number | null | undefined;
  /** The fields to change. */
  input: UpdateAccessScopeInput;
};

/** The fields to change. An absent field stays as it is; null removes the value. */
export type UpdateAccessScopeInput = {
  /** Key in the `scopes` claim. It must not be `*` or contain white space, control or format characters, quotes or backslashes. */
  accessScopeKey?: string | null | undefined;
  /** Guid of the access scope type. */
  accessScopeTypeGuid?: string | null | undefined;
  /** Number of the object that the access scope stands for. The `scopes` claim contains this number if there is no key. */
  concreteId?: number | null | undefined;
  /** Description shown to people. */
  description?: string | null | undefined;
  /** Whether the access scope is active. New tokens contain only active access scopes. */
  isActive?: boolean | null | undefined;
  /** Whether the access scope stands for every access scope of its type. */
  isWildcard?: boolean | null | undefined;
  /** Display name. */
  name?: string | null | undefined;
  /** Name of the translation group of the record. */
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
  /** The revision that the caller has read. If the record has changed since, the request fails with CONFLICT. */
  ifRevision?: number | null | undefined;
  /** The fields to change. */
  input: UpdateAccessScopeTypeInput;
};

/** The fields to change. An absent field stays as it is; null removes the value. */
export type UpdateAccessScopeTypeInput = {
  /** Description shown to people. */
  description?: string | null | undefined;
  /** Whether the access scope type is active. New tokens contain no access scopes of an inactive type. */
  isActive?: boolean | null | undefined;
  /** Unique name. It must not resemble `admin` or contain colons, white space, control or format characters, quotes or backslashes. */
  name?: string | null | undefined;
  /** Name of the translation group of the record. */
  translationGroup?: string | null | undefined;
};

/** The arguments of updateApplication. */
export type UpdateApplicationChange = {
  /** Guid of the application. */
  applicationGuid: string;
  /** The revision that the caller has read. If the record has changed since, the request fails with CONFLICT. */
  ifRevision?: number | null | undefined;
  /** The fields to change. */
  input: UpdateApplicationInput;
};

/** The fields to change. An absent field stays as it is; null removes the value. */
export type UpdateApplicationInput = {
  /** Type of the application. */
  appType?: string | null | undefined;
  /** Description shown to people. */
  description?: string | null | undefined;
  /** Link to the application, unless the mapping has an individual link. */
  globalExternalLink?: string | null | undefined;
  /** The icon. */
  iconDefault?: string | null | undefined;
  /** The icon under the pointer. */
  iconHover?: string | null | undefined;
  /** Whether the application is active. */
  isActive?: boolean | null | undefined;
  /** Whether the application is shown in an iframe. */
  isIframe?: boolean | null | undefined;
  /** Whether people may request access to the application. */
  isRequestable?: boolean | null | undefined;
  /** Whether the application requires a token exchange. */
  isTokenExchangeRequired?: boolean | null | undefined;
  /** How the link opens. */
  linkType?: string | null | undefined;
  /** Display name. */
  name?: string | null | undefined;
  /** Id of the profile whose holders own the application: they may approve changes of its mappings; null if it has no owner. */
  ownerProfileId?: string | null | undefined;
  /** How the application is rendered. */
  renderingMode?: string | null | undefined;
  /** Name of the translation group of the record. */
  translationGroup?: string | null | undefined;
};

/** The fields to change. An absent field stays as it is; null removes the value. */
export type UpdateClientInput = {
  /** The audiences that tokens of the client may have, separated by spaces, from the settings `AUDIENCES` and `ADMIN_AUDIENCE`; null: all. */
  allowedAudiences?: string | null | undefined;
  /** Description shown to people. */
  description?: string | null | undefined;
  /** Whether the tokens of the client must be bound to a key (DPoP). */
  dpopRequired?: boolean | null | undefined;
  /** The public keys with which the client authenticates by assertions: a JSON Web Key Set as text; null if there are none. */
  jwks?: string | null | undefined;
  /** The URL of the public keys of the client, as an alternative to jwks; null if there is none. */
  jwksUri?: string | null | undefined;
  /** Whether the client may request decisions about every user (AuthZEN). */
  mayEvaluate?: boolean | null | undefined;
  /** Whether the client may manage event streams of its own and get their events (SSF). */
  mayReceiveEvents?: boolean | null | undefined;
  /** Display name. */
  name?: string | null | undefined;
  /** The policy for requests and tokens of the client: `hardened`, or null for the policy of the service (TOKEN_POLICY). */
  policy?: string | null | undefined;
};

/** The arguments of updateProfile. */
export type UpdateProfileChange = {
  /** The revision that the caller has read. If the record has changed since, the request fails with CONFLICT. */
  ifRevision?: number | null | undefined;
  /** The fields to change. */
  input: UpdateProfileInput;
  /** Id of the profile. */
  profileId: string;
};

/** The fields to change. An absent field stays as it is; null removes the value. */
export type UpdateProfileInput = {
  /** Description shown to people. */
  description?: string | null | undefined;
  /** Name of a group of an identity provider (SCIM). Connectors assign the profile to the members of this group; null if there is none. */
  externalGroup?: string | null | undefined;
  /** Whether connectors may assign and unassign the profile although it has administration scopes. */
  externalGroupAdministers?: boolean | null | undefined;
  /** Display name. */
  name?: string | null | undefined;
  /** Id of the profile whose holders own the profile: they may approve changes of who holds it; null if it has no owner. */
  ownerProfileId?: string | null | undefined;
};

/** The arguments of updateRole. */
export type UpdateRoleChange = {
  /** The revision that the caller has read. If the record has changed since, the request fails with CONFLICT. */
  ifRevision?: number | null | undefined;
  /** The fields to change. */
  input: UpdateRoleInput;
  /** Id of the role. */
  roleId: string;
};

/** The fields to change. An absent field stays as it is; null removes the value. */
export type UpdateRoleInput = {
  /** Description shown to people. */
  description?: string | null | undefined;
  /** Display name. */
  name?: string | null | undefined;
};

/** The arguments of updateUser. */
export type UpdateUserChange = {
  /** The revision that the caller has read. If the record has changed since, the request fails with CONFLICT. */
  ifRevision?: number | null | undefined;
  /** The fields to change. */
  input: UpdateUserInput;
  /** Guid of the user: the `sub` of tokens. */
  userGuid: string;
};

/** The fields to change. An absent field stays as it is; null removes the value. */
export type UpdateUserInput = {
  /** When the terms of use were accepted. */
  anbacceptanceDate?: string | null | undefined;
  /** The accepted version of the terms of use. */
  anbversion?: string | null | undefined;
  /** Guid of the assigned customer support. */
  assignedCustomerSupportGuid?: string | null | undefined;
  /** Department. */
  department?: string | null | undefined;
  /** E-mail address. */
  email?: string | null | undefined;
  /** The e-mail subscriptions. */
  emailSubscriptions?: string | null | undefined;
  /** Type of the e-mail address, as SCIM provisions it; null for work. */
  emailType?: string | null | undefined;
  /** First name. */
  firstName?: string | null | undefined;
  /** Id of the user at the identity provider. */
  idpid?: string | null | undefined;
  /** Name of the identity provider of the user. */
  idpname?: string | null | undefined;
  /** When the user was invited. */
  invitationDate?: string | null | undefined;
  /** Guid of the user who sent the invitation. */
  invitedBy?: string | null | undefined;
  /** Whether the user is blocked: exchanges and renewals fail. */
  isBlocked?: boolean | null | undefined;
  /** Job title. */
  jobTitle?: string | null | undefined;
  /** Addition to the job title. */
  jobTitleAdditional?: string | null | undefined;
  /** Job title as a number. */
  jobTitleId?: number | null | undefined;
  /** Preferred language. */
  languagePreference?: string | null | undefined;
  /** Last name. */
  lastName?: string | null | undefined;
  /** The notification options. */
  notificationOptions?: string | null | undefined;
  /** Form of address. */
  salutation?: string | null | undefined;
  /** Status as text. */
  status?: string | null | undefined;
  /** Status as a number. */
  statusId?: number | null | undefined;
  /** Telephone number. */
  telephone?: string | null | undefined;
  /** Type of the telephone number, as SCIM provisions it; null for work. */
  telephoneType?: string | null | undefined;
  /** Academic or other title. */
  title?: string | null | undefined;
  /** Preferences of user interfaces. */
  uipreferences?: string | null | undefined;
  /** Name of the user at the identity provider, as SCIM provisions it. */
  userName?: string | null | undefined;
};

/** Conditions on User records, combined with AND. */
export type UserFilter = {
  /** When the terms of use were accepted. */
  anbacceptanceDate?: DateTimeFilter | null | undefined;
  /** The accepted version of the terms of use. */
  anbversion?: StringFilter | null | undefined;
  /** All of these conditions are met. */
  and?: Array<UserFilter> | null | undefined;
  /** Guid of the assigned customer support. */
  assignedCustomerSupportGuid?: UUIDFilter | null | undefined;
  /** Guid of the user who created the record. */
  createdBy?: UUIDFilter | null | undefined;
  /** The user who created the record; null if there is no such user. */
  createdByNavigation?: UserFilter | null | undefined;
  /** When the record was created. */
  createdDate?: DateTimeFilter | null | undefined;
  /** Department. */
  department?: StringFilter | null | undefined;
  /** When a connector deleted the user, who is blocked since; null if none did. */
  deprovisionedAt?: DateTimeFilter | null | undefined;
  /** E-mail address. */
  email?: StringFilter | null | undefined;
  /** The e-mail subscriptions. */
  emailSubscriptions?: StringFilter | null | undefined;
  /** Type of the e-mail address, as SCIM provisions it; null for work. */
  emailType?: StringFilter | null | undefined;
  /** First name. */
  firstName?: StringFilter | null | undefined;
  /** Whether the user holds a profile that is unusual: fewer than 5 % of the people of the user's department hold it; departments with fewer than 20 people are left out. */
  hasUnusualProfiles?: boolean | null | undefined;
  /** Id of the user at the identity provider. */
  idpid?: StringFilter | null | undefined;
  /** Name of the identity provider of the user. */
  idpname?: StringFilter | null | undefined;
  /** When the user was invited. */
  invitationDate?: DateTimeFilter | null | undefined;
  /** Guid of the user who sent the invitation. */
  invitedBy?: UUIDFilter | null | undefined;
  /** Whether the user is blocked: exchanges and renewals fail. */
  isBlocked?: BooleanFilter | null | undefined;
  /** Job title. */
  jobTitle?: StringFilter | null | undefined;
  /** Addition to the job title. */
  jobTitleAdditional?: StringFilter | null | undefined;
  /** Job title as a number. */
  jobTitleId?: IntFilter | null | undefined;
  /** Preferred language. */
  languagePreference?: StringFilter | null | undefined;
  /** Time of the last exchange of an ID token, to the hour. */
  lastLoginDate?: DateTimeFilter | null | undefined;
  /** Last name. */
  lastName?: StringFilter | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: UUIDFilter | null | undefined;
  /** The user who last changed the record; null before the first change, or if there is no such user. */
  modifiedByNavigation?: UserFilter | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: DateTimeFilter | null | undefined;
  /** This condition is not met. */
  not?: UserFilter | null | undefined;
  /** The notification options. */
  notificationOptions?: StringFilter | null | undefined;
  /** At least one of these conditions is met. */
  or?: Array<UserFilter> | null | undefined;
  /** Increases with each change. Send it as ifRevision to avoid overwriting other changes. */
  revision?: IntFilter | null | undefined;
  /** Form of address. */
  salutation?: StringFilter | null | undefined;
  /** Status as text. */
  status?: StringFilter | null | undefined;
  /** Status as a number. */
  statusId?: IntFilter | null | undefined;
  /** Telephone number. */
  telephone?: StringFilter | null | undefined;
  /** Type of the telephone number, as SCIM provisions it; null for work. */
  telephoneType?: StringFilter | null | undefined;
  /** Every word is contained in firstName or lastName or email or idpid or department or jobTitle, ignoring accents and case. */
  text?: string | null | undefined;
  /** Academic or other title. */
  title?: StringFilter | null | undefined;
  /** Preferences of user interfaces. */
  uipreferences?: StringFilter | null | undefined;
  /** Guid of the user: the `sub` of tokens. */
  userGuid?: UUIDFilter | null | undefined;
  /** Number of the user. */
  userId?: IntFilter | null | undefined;
  /** Name of the user at the identity provider, as SCIM provisions it. */
  userName?: StringFilter | null | undefined;
  /** The profiles that the user holds. */
  userProfiles?: UserProfileListFilter | null | undefined;
};

/** A sort key. Exactly one field is required. */
export type UserOrderBy = {
  /** When the terms of use were accepted. */
  anbacceptanceDate?: Direction | null | undefined;
  /** The accepted version of the terms of use. */
  anbversion?: Direction | null | undefined;
  /** Guid of the assigned customer support. */
  assignedCustomerSupportGuid?: Direction | null | undefined;
  /** Guid of the user who created the record. */
  createdBy?: Direction | null | undefined;
  /** The user who created the record; null if there is no such user. */
  createdByNavigation?: UserOrderBy | null | undefined;
  /** When the record was created. */
  createdDate?: Direction | null | undefined;
  /** Department. */
  department?: Direction | null | undefined;
  /** When a connector deleted the user, who is blocked since; null if none did. */
  deprovisionedAt?: Direction | null | undefined;
  /** E-mail address. */
  email?: Direction | null | undefined;
  /** The e-mail subscriptions. */
  emailSubscriptions?: Direction | null | undefined;
  /** Type of the e-mail address, as SCIM provisions it; null for work. */
  emailType?: Direction | null | undefined;
  /** First name. */
  firstName?: Direction | null | undefined;
  /** Id of the user at the identity provider. */
  idpid?: Direction | null | undefined;
  /** Name of the identity provider of the user. */
  idpname?: Direction | null | undefined;
  /** When the user was invited. */
  invitationDate?: Direction | null | undefined;
  /** Guid of the user who sent the invitation. */
  invitedBy?: Direction | null | undefined;
  /** Whether the user is blocked: exchanges and renewals fail. */
  isBlocked?: Direction | null | undefined;
  /** Job title. */
  jobTitle?: Direction | null | undefined;
  /** Addition to the job title. */
  jobTitleAdditional?: Direction | null | undefined;
  /** Job title as a number. */
  jobTitleId?: Direction | null | undefined;
  /** Preferred language. */
  languagePreference?: Direction | null | undefined;
  /** Time of the last exchange of an ID token, to the hour. */
  lastLoginDate?: Direction | null | undefined;
  /** Last name. */
  lastName?: Direction | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: Direction | null | undefined;
  /** The user who last changed the record; null before the first change, or if there is no such user. */
  modifiedByNavigation?: UserOrderBy | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: Direction | null | undefined;
  /** The notification options. */
  notificationOptions?: Direction | null | undefined;
  /** Increases with each change. Send it as ifRevision to avoid overwriting other changes. */
  revision?: Direction | null | undefined;
  /** Form of address. */
  salutation?: Direction | null | undefined;
  /** Status as text. */
  status?: Direction | null | undefined;
  /** Status as a number. */
  statusId?: Direction | null | undefined;
  /** Telephone number. */
  telephone?: Direction | null | undefined;
  /** Type of the telephone number, as SCIM provisions it; null for work. */
  telephoneType?: Direction | null | undefined;
  /** Academic or other title. */
  title?: Direction | null | undefined;
  /** Preferences of user interfaces. */
  uipreferences?: Direction | null | undefined;
  /** Guid of the user: the `sub` of tokens. */
  userGuid?: Direction | null | undefined;
  /** Number of the user. */
  userId?: Direction | null | undefined;
  /** Name of the user at the identity provider, as SCIM provisions it. */
  userName?: Direction | null | undefined;
};

/** Conditions on UserProfile records, combined with AND. */
export type UserProfileFilter = {
  /** All of these conditions are met. */
  and?: Array<UserProfileFilter> | null | undefined;
  /** Guid of the user who created the record. */
  createdBy?: UUIDFilter | null | undefined;
  /** The user who created the record; null if there is no such user. */
  createdByNavigation?: UserFilter | null | undefined;
  /** When the record was created. */
  createdDate?: DateTimeFilter | null | undefined;
  /** The day of the user’s last exchange or renewal for the profile, at midnight in UTC; null: none is known. */
  lastUsedAt?: DateTimeFilter | null | undefined;
  /** Name of the file in git that manages the record, or `scim:` and the name of the connector; null if there is none. */
  managedBy?: StringFilter | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: UUIDFilter | null | undefined;
  /** The user who last changed the record; null before the first change, or if there is no such user. */
  modifiedByNavigation?: UserFilter | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: DateTimeFilter | null | undefined;
  /** This condition is not met. */
  not?: UserProfileFilter | null | undefined;
  /** At least one of these conditions is met. */
  or?: Array<UserProfileFilter> | null | undefined;
  /** The profile. */
  profile?: ProfileFilter | null | undefined;
  /** Id of the profile. */
  profileId?: StringFilter | null | undefined;
  /** Increases with each change. Send it as ifRevision to avoid overwriting other changes. */
  revision?: IntFilter | null | undefined;
  /** The role. */
  role?: RoleFilter | null | undefined;
  /** Id of the role. */
  roleId?: StringFilter | null | undefined;
  /** The user. */
  user?: UserFilter | null | undefined;
  /** Number of the user. */
  userId?: IntFilter | null | undefined;
  /** Number of the link. If a user and a profile have several links, the lowest number determines the role. */
  userProfileId?: IntFilter | null | undefined;
  /** When the user loses the profile in this role; null: never. From then on, tokens and decisions ignore the link. */
  validUntil?: DateTimeFilter | null | undefined;
};

/** Conditions on related records. */
export type UserProfileListFilter = {
  /** No related record matches. */
  none?: UserProfileFilter | null | undefined;
  /** At least one related record matches. */
  some?: UserProfileFilter | null | undefined;
};

/** A sort key. Exactly one field is required. */
export type UserProfileOrderBy = {
  /** Guid of the user who created the record. */
  createdBy?: Direction | null | undefined;
  /** The user who created the record; null if there is no such user. */
  createdByNavigation?: UserOrderBy | null | undefined;
  /** When the record was created. */
  createdDate?: Direction | null | undefined;
  /** The day of the user’s last exchange or renewal for the profile, at midnight in UTC; null: none is known. */
  lastUsedAt?: Direction | null | undefined;
  /** Name of the file in git that manages the record, or `scim:` and the name of the connector; null if there is none. */
  managedBy?: Direction | null | undefined;
  /** Guid of the user who last changed the record. */
  modifiedBy?: Direction | null | undefined;
  /** The user who last changed the record; null before the first change, or if there is no such user. */
  modifiedByNavigation?: UserOrderBy | null | undefined;
  /** When the record was last changed; null until the first change. */
  modifiedDate?: Direction | null | undefined;
  /** The profile. */
  profile?: ProfileOrderBy | null | undefined;
  /** Id of the profile. */
  profileId?: Direction | null | undefined;
  /** Increases with each change. Send it as ifRevision to avoid overwriting other changes. */
  revision?: Direction | null | undefined;
  /** The role. */
  role?: RoleOrderBy | null | undefined;
  /** Id of the role. */
  roleId?: Direction | null | undefined;
  /** The user. */
  user?: UserOrderBy | null | undefined;
  /** Number of the user. */
  userId?: Direction | null | undefined;
  /** Number of the link. If a user and a profile have several links, the lowest number determines the role. */
  userProfileId?: Direction | null | undefined;
  /** When the user loses the profile in this role; null: never. From then on, tokens and decisions ignore the link. */
  validUntil?: Direction | null | undefined;
};

export type ApplicationFieldsFragment = { revision: number, name: string, description: string | null, appType: string, renderingMode: string, linkType: string, globalExternalLink: string | null, iconDefault: string, iconHover: string, translationGroup: string | null, isIframe: boolean | null, isTokenExchangeRequired: boolean | null, isRequestable: boolean, ownerProfileId: string | null, isActive: boolean };

export type ApplicationPageQueryVariables = Exact<{
  applicationGuid: string;
}>;


export type ApplicationPageQuery = { application: { applicationGuid: string, managedBy: string | null, createdDate: string, modifiedDate: string | null, revision: number, name: string, description: string | null, appType: string, renderingMode: string, linkType: string, globalExternalLink: string | null, iconDefault: string, iconHover: string, translationGroup: string | null, isIframe: boolean | null, isTokenExchangeRequired: boolean | null, isRequestable: boolean, ownerProfileId: string | null, isActive: boolean, createdByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null, modifiedByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null, accessScopeApplicationsMappers: { totalCount: number }, accessScopeTypeApplicationsMappers: { totalCount: number }, translations: { totalCount: number } } | null, accessOf: Array<{ profile: { profileId: string, name: string }, accessScope: { accessScopeGuid: string, name: string }, accessScopeTypeApplicationsMapper: { accessScopeType: { name: string } } | null, userProfiles: { totalCount: number, nodes: Array<{ user: { userGuid: string, firstName: string | null, lastName: string | null, email: string | null } }> } }> };

export type ApplicationRowsQueryVariables = Exact<{
  first: number;
  offset: number;
  filter?: ApplicationFilter | null | undefined;
  orderBy?: Array<ApplicationOrderBy> | ApplicationOrderBy | null | undefined;
  opening?: Array<string> | string | null | undefined;
}>;


export type ApplicationRowsQuery = { applications: { totalCount: number, nodes: Array<{ applicationGuid: string, name: string, description: string | null, iconDefault: string, managedBy: string | null, appType: string, isActive: boolean, createdDate: string, modifiedDate: string | null, accessScopeApplicationsMappers: { totalCount: number, nodes: Array<{ accessScope: { name: string } }> }, accessScopeTypeApplicationsMappers: { totalCount: number, nodes: Array<{ accessScopeType: { name: string } }> } }> } };

export type ApplicationNamesQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  filter?: ApplicationFilter | null | undefined;
}>;


export type ApplicationNamesQuery = { applications: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ applicationGuid: string, name: string, appType: string, isActive: boolean }> } };

export type ClientRowsQueryVariables = Exact<{
  first: number;
  offset: number;
  filter?: ClientFilter | null | undefined;
  orderBy?: Array<ClientOrderBy> | ClientOrderBy | null | undefined;
  isFirst: boolean;
}>;


export type ClientRowsQuery = { clients: { totalCount: number, nodes: Array<{ clientId: string, name: string, description: string | null, isActive: boolean, createdAt: string, secretLastUsedAt: string | null, keysLastUsedAt: string | null, previousSecretEndsAt: string | null, policyReadiness: { state: PolicyReadinessState } }> } | null, policyReadiness?: { tokenPolicy: string, days: number, clients: number, ready: number, notReady: number, notSeen: number, unready: Array<{ clientId: string, client: { name: string } | null, findings: Array<{ operation: string, text: string }> }>, ofNobody: Array<{ operation: string, text: string, count: number }> } };

export type ClientPageQueryVariables = Exact<{
  clientId: string;
  usedBy: string;
}>;


export type ClientPageQuery = { usageCount: number, client: { clientId: string, name: string, description: string | null, isActive: boolean, createdAt: string, mayEvaluate: boolean, mayReceiveEvents: boolean, revision: number, secretLastUsedAt: string | null, keysLastUsedAt: string | null, previousSecretEndsAt: string | null, previousSecretLastUsedAt: string | null, policy: string | null, policyReadiness: { state: PolicyReadinessState, judged: number, findings: Array<{ operation: string, reason: PolicyReason, text: string, advice: string, count: number, lastSeenAt: string }> }, tokens: { totalCount: number } } | null, usage: Array<{ operation: string, option: string | null, mediaType: string | null, product: string | null, firstSeenAt: string, lastSeenAt: string, count: number, brownouts: number }> };

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

export type CompareProfilesCountsQueryVariables = Exact<{
  left: string;
  right: string;
}>;


export type CompareProfilesCountsQuery = { left: { profileId: string, name: string } | null, right: { profileId: string, name: string } | null, compareProfiles: { scopes: { onlyLeft: { totalCount: number }, both: { totalCount: number }, onlyRight: { totalCount: number } }, applications: { onlyLeft: { totalCount: number }, both: { totalCount: number }, onlyRight: { totalCount: number } }, people: { onlyLeft: { totalCount: number }, both: { totalCount: number }, onlyRight: { totalCount: number } } } };

export type RedundantHoldersQueryVariables = Exact<{
  left: string;
  right: string;
  first: number;
  after?: string | null | undefined;
}>;


export type RedundantHoldersQuery = { compareProfiles: { redundant: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ userGuid: string, firstName: string | null, lastName: string | null, email: string | null, department: string | null }> } } };

export type CompareUsersCountsQueryVariables = Exact<{
  left: string;
  right: string;
}>;


export type CompareUsersCountsQuery = { left: { userGuid: string, firstName: string | null, lastName: string | null, email: string | null, department: string | null } | null, right: { userGuid: string, firstName: string | null, lastName: string | null, email: string | null, department: string | null } | null, compareUsers: { scopes: { onlyLeft: { totalCount: number }, both: { totalCount: number }, onlyRight: { totalCount: number } }, applications: { onlyLeft: { totalCount: number }, both: { totalCount: number }, onlyRight: { totalCount: number } }, profiles: { onlyLeft: { totalCount: number }, both: { totalCount: number }, onlyRight: { totalCount: number } } } };

export type ProfileToCompareQueryVariables = Exact<{
  profileId: string;
}>;


export type ProfileToCompareQuery = { profile: { profileId: string, name: string } | null };

export type UserToCompareQueryVariables = Exact<{
  userGuid: string;
}>;


export type UserToCompareQuery = { user: { userGuid: string, firstName: string | null, lastName: string | null, email: string | null, department: string | null } | null };

export type PersonComparedFragment = { userGuid: string, firstName: string | null, lastName: string | null, email: string | null, department: string | null };

export type ScopeCountsFragment = { onlyLeft: { totalCount: number }, both: { totalCount: number }, onlyRight: { totalCount: number } };

export type ApplicationCountsFragment = { onlyLeft: { totalCount: number }, both: { totalCount: number }, onlyRight: { totalCount: number } };

export type ScopePartFragment = { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ accessScopeGuid: string, name: string, accessScopeKey: string | null, concreteId: number | null, isWildcard: boolean, isActive: boolean, accessScopeType: { name: string } }> };

export type ComparedScopesFragment = { onlyLeft?: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ accessScopeGuid: string, name: string, accessScopeKey: string | null, concreteId: number | null, isWildcard: boolean, isActive: boolean, accessScopeType: { name: string } }> }, both?: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ accessScopeGuid: string, name: string, accessScopeKey: string | null, concreteId: number | null, isWildcard: boolean, isActive: boolean, accessScopeType: { name: string } }> }, onlyRight?: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ accessScopeGuid: string, name: string, accessScopeKey: string | null, concreteId: number | null, isWildcard: boolean, isActive: boolean, accessScopeType: { name: string } }> } };

export type ApplicationPartFragment = { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ applicationGuid: string, name: string, appType: string, isActive: boolean }> };

export type ComparedAppsFragment = { onlyLeft?: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ applicationGuid: string, name: string, appType: string, isActive: boolean }> }, both?: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ applicationGuid: string, name: string, appType: string, isActive: boolean }> }, onlyRight?: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ applicationGuid: string, name: string, appType: string, isActive: boolean }> } };

export type PeoplePartFragment = { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ userGuid: string, firstName: string | null, lastName: string | null, email: string | null, department: string | null }> };

export type ProfilePartFragment = { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ profileId: string, name: string }> };

export type ProfilesScopesQueryVariables = Exact<{
  left: string;
  right: string;
  first: number;
  after?: string | null | undefined;
  isLeft: boolean;
  isBoth: boolean;
  isRight: boolean;
}>;


export type ProfilesScopesQuery = { compareProfiles: { scopes: { onlyLeft?: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ accessScopeGuid: string, name: string, accessScopeKey: string | null, concreteId: number | null, isWildcard: boolean, isActive: boolean, accessScopeType: { name: string } }> }, both?: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ accessScopeGuid: string, name: string, accessScopeKey: string | null, concreteId: number | null, isWildcard: boolean, isActive: boolean, accessScopeType: { name: string } }> }, onlyRight?: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ accessScopeGuid: string, name: string, accessScopeKey: string | null, concreteId: number | null, isWildcard: boolean, isActive: boolean, accessScopeType: { name: string } }> } } } };

export type ProfilesApplicationsQueryVariables = Exact<{
  left: string;
  right: string;
  first: number;
  after?: string | null | undefined;
  isLeft: boolean;
  isBoth: boolean;
  isRight: boolean;
}>;


export type ProfilesApplicationsQuery = { compareProfiles: { applications: { onlyLeft?: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ applicationGuid: string, name: string, appType: string, isActive: boolean }> }, both?: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ applicationGuid: string, name: string, appType: string, isActive: boolean }> }, onlyRight?: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ applicationGuid: string, name: string, appType: string, isActive: boolean }> } } } };

export type ProfilesPeopleQueryVariables = Exact<{
  left: string;
  right: string;
  first: number;
  after?: string | null | undefined;
  isLeft: boolean;
  isBoth: boolean;
  isRight: boolean;
}>;


export type ProfilesPeopleQuery = { compareProfiles: { people: { onlyLeft?: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ userGuid: string, firstName: string | null, lastName: string | null, email: string | null, department: string | null }> }, both?: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ userGuid: string, firstName: string | null, lastName: string | null, email: string | null, department: string | null }> }, onlyRight?: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ userGuid: string, firstName: string | null, lastName: string | null, email: string | null, department: string | null }> } } } };

export type UsersScopesQueryVariables = Exact<{
  left: string;
  right: string;
  first: number;
  after?: string | null | undefined;
  isLeft: boolean;
  isBoth: boolean;
  isRight: boolean;
}>;


export type UsersScopesQuery = { compareUsers: { scopes: { onlyLeft?: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ accessScopeGuid: string, name: string, accessScopeKey: string | null, concreteId: number | null, isWildcard: boolean, isActive: boolean, accessScopeType: { name: string } }> }, both?: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ accessScopeGuid: string, name: string, accessScopeKey: string | null, concreteId: number | null, isWildcard: boolean, isActive: boolean, accessScopeType: { name: string } }> }, onlyRight?: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ accessScopeGuid: string, name: string, accessScopeKey: string | null, concreteId: number | null, isWildcard: boolean, isActive: boolean, accessScopeType: { name: string } }> } } } };

export type UsersApplicationsQueryVariables = Exact<{
  left: string;
  right: string;
  first: number;
  after?: string | null | undefined;
  isLeft: boolean;
  isBoth: boolean;
  isRight: boolean;
}>;


export type UsersApplicationsQuery = { compareUsers: { applications: { onlyLeft?: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ applicationGuid: string, name: string, appType: string, isActive: boolean }> }, both?: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ applicationGuid: string, name: string, appType: string, isActive: boolean }> }, onlyRight?: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ applicationGuid: string, name: string, appType: string, isActive: boolean }> } } } };

export type UsersProfilesQueryVariables = Exact<{
  left: string;
  right: string;
  first: number;
  after?: string | null | undefined;
  isLeft: boolean;
  isBoth: boolean;
  isRight: boolean;
}>;


export type UsersProfilesQuery = { compareUsers: { profiles: { onlyLeft?: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ profileId: string, name: string }> }, both?: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ profileId: string, name: string }> }, onlyRight?: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ profileId: string, name: string }> } } } };

export type ConnectorRowsQueryVariables = Exact<{
  first: number;
  offset: number;
  filter?: ConnectorFilter | null | undefined;
  orderBy?: Array<ConnectorOrderBy> | ConnectorOrderBy | null | undefined;
}>;


export type ConnectorRowsQuery = { connectors: { totalCount: number, nodes: Array<{ connectorId: string, idpname: string, isRevoked: boolean, clientId: string | null, createdAt: string, lastUsedAt: string | null, previousTokenEndsAt: string | null, role: { roleId: string, name: string } | null, manages: { people: number, assignments: number, profiles: number } | null }> } | null };

export type EffectPeopleQueryVariables = Exact<{
  effectId: string;
  text?: string | null | undefined;
  first: number;
  after?: string | null | undefined;
  isGain: boolean;
}>;


export type EffectPeopleQuery = { effect: { effectId: string, gains?: { people: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ userGuid: string, firstName: string | null, lastName: string | null, email: string | null, department: string | null }> } }, loses?: { people: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ userGuid: string, firstName: string | null, lastName: string | null, email: string | null, department: string | null }> } } } };

export type AffectedPeopleFragment = { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ userGuid: string, firstName: string | null, lastName: string | null, email: string | null, department: string | null }> };

export type EffectProfilesQueryVariables = Exact<{
  effectId: string;
  first: number;
  after?: string | null | undefined;
}>;


export type EffectProfilesQuery = { effect: { effectId: string, groups: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ key: string, label: string, gains: { users: number, applications: number, scopes: number, pairs: number, least: number, most: number }, loses: { users: number, applications: number, scopes: number, pairs: number, least: number, most: number } }> } } };

export type EffectApplicationsQueryVariables = Exact<{
  effectId: string;
  first: number;
  after?: string | null | undefined;
}>;


export type EffectApplicationsQuery = { effect: { effectId: string, groups: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ key: string, label: string, gains: { users: number, applications: number, scopes: number, pairs: number, least: number, most: number }, loses: { users: number, applications: number, scopes: number, pairs: number, least: number, most: number } }> } } };

export type EventStreamsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type EventStreamsQuery = { eventStreams: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ eventStreamGuid: string, name: string, kind: string, address: string | null, clientId: string | null, status: string, statusReason: string | null, waiting: number, oldestWaitingAt: string | null, failures: number, lastDeliveredAt: string | null, lastFailedAt: string | null, lastStatus: number | null, lastProblem: string | null, advice: string | null, gapFrom: string | null, gapUntil: string | null, replayFrom: string | null, revision: number }> } | null };

export type EventDeliveriesQueryVariables = Exact<{
  eventStreamGuid: string;
}>;


export type EventDeliveriesQuery = { eventStream: { deliveries: Array<{ eventGuid: string, type: string, sentAt: string, status: number | null, problem: string | null, milliseconds: number }> } | null };

export type SetEventStreamStatusMutationVariables = Exact<{
  eventStreamGuid: string;
  status: string;
  ifRevision?: number | null | undefined;
}>;


export type SetEventStreamStatusMutation = { updateEventStream: { eventStreamGuid: string } | null };

export type SendTestEventMutationVariables = Exact<{
  eventStreamGuid: string;
}>;


export type SendTestEventMutation = { sendTestEvent: { eventStreamGuid: string } | null };

export type RotateEventStreamSecretMutationVariables = Exact<{
  eventStreamGuid: string;
  keepPreviousHours?: number | null | undefined;
}>;


export type RotateEventStreamSecretMutation = { rotateEventStreamSecret: { secret: string | null } | null };

export type ReplayEventsMutationVariables = Exact<{
  eventStreamGuid: string;
  since: string;
}>;


export type ReplayEventsMutation = { replayEvents: { eventStreamGuid: string } | null };

export type ProfileToGiveQueryVariables = Exact<{
  profileId: string;
  held: string;
}>;


export type ProfileToGiveQuery = { profile: { profileId: string, name: string, ownerProfileId: string | null, opens: { totalCount: number } } | null, userProfiles: { nodes: Array<{ role: { roleId: string, name: string } }> } };

export type PeopleLeftOutQueryVariables = Exact<{
  first: number;
  filter?: UserFilter | null | undefined;
}>;


export type PeopleLeftOutQuery = { users: { nodes: Array<{ userGuid: string, isBlocked: boolean }> } };

export type PeopleToChangeQueryVariables = Exact<{
  first: number;
  users: Array<string> | string;
}>;


export type PeopleToChangeQuery = { users: { nodes: Array<{ userGuid: string, firstName: string | null, lastName: string | null, email: string | null, isBlocked: boolean, revision: number }> } };

export type SuggestQueryVariables = Exact<{
  field: SuggestionField;
  text?: string | null | undefined;
  first: number;
}>;


export type SuggestQuery = { suggestions: Array<{ value: string, count: number }> };

export type MatchEmailsQueryVariables = Exact<{
  emails: Array<string> | string;
  profileId?: string | null | undefined;
}>;


export type MatchEmailsQuery = { matchEmails: Array<{ email: string, user: { userGuid: string, firstName: string | null, lastName: string | null, email: string | null, department: string | null, isBlocked: boolean } | null, suggestion: { userGuid: string, firstName: string | null, lastName: string | null, email: string | null } | null, userProfile: { userProfileId: number, validUntil: string | null, role: { roleId: string, name: string } } | null }> };

export type TryGivingMutationVariables = Exact<{
  changes: Array<ChangeInput> | ChangeInput;
}>;


export type TryGivingMutation = { applyChanges: { effect: { gains: { users: number, applications: number, scopes: number, pairs: number, least: number, most: number, groups: { totalCount: number, nodes: Array<{ key: string, label: string }> }, items: { totalCount: number, nodes: Array<{ scopes: Array<string> }> } }, outcomes: { totalCount: number, nodes: Array<{ path: string, reason: EffectOutcomeReason | null }> } | null } | null } | null };

export type RecordsWithIdsQueryVariables = Exact<{
  id: string;
}>;


export type RecordsWithIdsQuery = { profile: { profileId: string } | null, role: { roleId: string } | null };

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


export type ChangeSetsQuery = { changeSets: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ changeSetGuid: string, occurredAt: string, face: string, note: string | null, summary: string | null, isUndoable: boolean | null, actorNavigation: { userGuid: string, firstName: string | null, lastName: string | null } | null, undoes: { changeSetGuid: string, occurredAt: string } | null, undoneBy: { changeSetGuid: string } | null, events: { totalCount: number } | null }> } | null };

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
          | { connectorId: string }
          | { name: string }
          | { name: string }
          | { profile: { name: string }, accessScope: { name: string } }
          | { name: string }
          | { name: string }
          | { firstName: string | null, lastName: string | null, email: string | null }
          | { user: { firstName: string | null, lastName: string | null, email: string | null }, profile: { name: string } }
          | Record<PropertyKey, never>
         | null }> } | null } | null };

export type ChangeSetVersionsQueryVariables = Exact<{
  changeSetGuid: string;
  filter?: RecordVersionFilter | null | undefined;
  first: number;
  after?: string | null | undefined;
}>;


export type ChangeSetVersionsQuery = { changeSet: { changeSetGuid: string, versions: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ recordVersionId: string, recordTable: string, recordKey: string, action: string, changes: Array<{ field: string, before: unknown, after: unknown }>, namesBefore: { fieldName: string | null, languageCode: string | null, application: { name: string } | null, accessScope: { name: string } | null, accessScopeType: { name: string } | null, profile: { name: string } | null, role: { name: string } | null, user: { firstName: string | null, lastName: string | null, email: string | null } | null } | null, namesAfter: { fieldName: string | null, languageCode: string | null, application: { name: string } | null, accessScope: { name: string } | null, accessScopeType: { name: string } | null, profile: { name: string } | null, role: { name: string } | null, user: { firstName: string | null, lastName: string | null, email: string | null } | null } | null }> } | null } | null };

export type HolderRowsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  offset?: number | null | undefined;
  filter?: UserProfileFilter | null | undefined;
  orderBy?: Array<UserProfileOrderBy> | UserProfileOrderBy | null | undefined;
}>;


export type HolderRowsQuery = { userProfiles: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ userProfileId: number, revision: number, createdDate: string, validUntil: string | null, lastUsedAt: string | null, managedBy: string | null, role: { roleId: string, name: string }, profile: { profileId: string, name: string }, user: { userGuid: string, firstName: string | null, lastName: string | null, email: string | null, department: string | null, isBlocked: boolean } }> } };

export type ProposalListQueryVariables = Exact<{
  filter: ProposalFilter;
  orderBy: Array<ProposalOrderBy> | ProposalOrderBy;
  first: number;
  after?: string | null | undefined;
}>;


export type ProposalListQuery = { proposals: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ proposalGuid: string, title: string, state: ProposalState, proposedAt: string, expiresAt: string, applyAt: string | null, proposedByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null, proposedEffect: { gains: { users: number }, loses: { users: number } } }> } };

export type ProposalCountsQueryVariables = Exact<{
  me: string;
}>;


export type ProposalCountsQuery = { forMe: { totalCount: number }, open: { totalCount: number }, mine: { totalCount: number }, scheduled: { totalCount: number } };

export type ProposalDetailQueryVariables = Exact<{
  proposalGuid: string;
}>;


export type ProposalDetailQuery = { proposal: { proposalGuid: string, revision: number, title: string, state: ProposalState, note: string, proposedBy: string, proposedAt: string, applyAt: string | null, expiresAt: string, decidedAt: string | null, decisionNote: string | null, problems: unknown, changes: Array<unknown>, requestedUntil: string | null, sentences: Array<{ text: string, count: number }>, remedies: Array<{ remedyId: string, title: string, text: string, changes: Array<unknown>, othersGaining: number, isChosen: boolean }>, proposedByNavigation: { department: string | null, firstName: string | null, lastName: string | null, email: string | null } | null, decidedByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null, proposedEffect: { gains: { users: number, applications: number }, loses: { users: number, applications: number } }, since: Array<{ kind: string, text: string, at: string, by: string, count: number, names: Array<string>, byNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null }>, approvers: { permission: string, includesViewer: boolean, owners: Array<{ name: string }> }, effect: { effectId: string, gains: { users: number, applications: number, scopes: number, pairs: number, least: number, most: number, items: { nodes: Array<{ applicationCount: number, scopes: Array<string>, user: { userGuid: string, firstName: string | null, lastName: string | null, email: string | null }, profile: { profileId: string, name: string }, applications: Array<{ applicationGuid: string, name: string }> }> } }, loses: { users: number, applications: number, scopes: number, pairs: number, least: number, most: number, items: { nodes: Array<{ applicationCount: number, scopes: Array<string>, user: { userGuid: string, firstName: string | null, lastName: string | null, email: string | null }, profile: { profileId: string, name: string }, applications: Array<{ applicationGuid: string, name: string }> }> } }, tokens: { users: number, profiles: number, sessions: number, eventStreams: Array<string> | null }, groups: { totalCount: number, nodes: Array<{ key: string, label: string, gains: { users: number, applications: number, scopes: number, pairs: number, least: number, most: number }, loses: { users: number, applications: number, scopes: number, pairs: number, least: number, most: number } }> }, outcomes: { totalCount: number, counts: Array<{ outcome: EffectOutcomeKind, reason: EffectOutcomeReason | null, managedBy: string | null, count: number }> } | null } | null } | null };

export type ApproveProposalMutationVariables = Exact<{
  proposalGuid: string;
  ifRevision: number;
  note?: string | null | undefined;
  applyAt?: string | null | undefined;
}>;


export type ApproveProposalMutation = { approveProposal: { state: ProposalState, applyAt: string | null } | null };

export type RejectProposalMutationVariables = Exact<{
  proposalGuid: string;
  ifRevision: number;
  note: string;
}>;


export type RejectProposalMutation = { rejectProposal: { state: ProposalState } | null };

export type WithdrawProposalMutationVariables = Exact<{
  proposalGuid: string;
}>;


export type WithdrawProposalMutation = { withdrawProposal: { state: ProposalState } | null };

export type ProposeChangesMutationVariables = Exact<{
  changes: Array<ChangeInput> | ChangeInput;
  note: string;
  applyAt?: string | null | undefined;
  proposalGuid?: string | null | undefined;
}>;


export type ProposeChangesMutation = { proposeChanges: { proposalGuid: string } | null };

export type ChooseRemedyMutationVariables = Exact<{
  proposalGuid: string;
  ifRevision: number;
  remedyId: string;
}>;


export type ChooseRemedyMutation = { chooseRemedy: { revision: number } | null };

export type SigningKeysQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type SigningKeysQuery = { signingKeys: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ kid: string, alg: string, state: string, createdAt: string, activatedAt: string | null, retiredAt: string | null }> } | null };

export type RotateSigningKeyMutationVariables = Exact<{ [key: string]: never; }>;


export type RotateSigningKeyMutation = { rotateSigningKey: { kid: string } | null };

export type ManagersQueryVariables = Exact<{
  applications: Array<string> | string;
  scopes: Array<string> | string;
  types: Array<string> | string;
  profiles: Array<string> | string;
  roles: Array<string> | string;
}>;


export type ManagersQuery = { applications: { nodes: Array<{ applicationGuid: string, managedBy: string | null }> }, accessScopes: { nodes: Array<{ accessScopeGuid: string, managedBy: string | null }> }, accessScopeTypes: { nodes: Array<{ accessScopeTypeGuid: string, managedBy: string | null }> }, profiles: { nodes: Array<{ profileId: string, managedBy: string | null }> }, roles: { nodes: Array<{ roleId: string, managedBy: string | null }> } };

export type ScopeMappingManagersQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  applications: Array<string> | string;
  scopes: Array<string> | string;
}>;


export type ScopeMappingManagersQuery = { links: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ managedBy: string | null, application: { applicationGuid: string }, accessScope: { accessScopeGuid: string } }> } };

export type TypeMappingManagersQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  applications: Array<string> | string;
  types: Array<string> | string;
}>;


export type TypeMappingManagersQuery = { links: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ managedBy: string | null, application: { applicationGuid: string }, accessScopeType: { accessScopeTypeGuid: string } }> } };

export type HoldingManagersQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  users: Array<string> | string;
  profiles: Array<string> | string;
}>;


export type HoldingManagersQuery = { links: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ managedBy: string | null, profileId: string, roleId: string, user: { userGuid: string } }> } };

export type ScopeMappingRowsQueryVariables = Exact<{
  first: number;
  offset: number;
  filter?: AccessScopeApplicationsMapperFilter | null | undefined;
  orderBy?: Array<AccessScopeApplicationsMapperOrderBy> | AccessScopeApplicationsMapperOrderBy | null | undefined;
}>;


export type ScopeMappingRowsQuery = { accessScopeApplicationsMappers: { totalCount: number, nodes: Array<{ state: string, individualExternalLink: string | null, createdDate: string, modifiedDate: string | null, application: { applicationGuid: string, name: string, isActive: boolean }, accessScope: { accessScopeGuid: string, name: string, accessScopeKey: string | null, concreteId: number | null, isActive: boolean, isWildcard: boolean, accessScopeType: { name: string, isActive: boolean } } }> } };

export type TypeMappingRowsQueryVariables = Exact<{
  first: number;
  offset: number;
  filter?: AccessScopeTypeApplicationsMapperFilter | null | undefined;
  orderBy?: Array<AccessScopeTypeApplicationsMapperOrderBy> | AccessScopeTypeApplicationsMapperOrderBy | null | undefined;
}>;


export type TypeMappingRowsQuery = { accessScopeTypeApplicationsMappers: { totalCount: number, nodes: Array<{ state: string, createdDate: string, modifiedDate: string | null, application: { applicationGuid: string, name: string, isActive: boolean }, accessScopeType: { accessScopeTypeGuid: string, name: string, isActive: boolean } }> } };

export type MappingsOfApplicationQueryVariables = Exact<{
  applicationGuid: string;
  first: number;
  after?: string | null | undefined;
}>;


export type MappingsOfApplicationQuery = { mappings: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ state: string, accessScope: { accessScopeGuid: string, name: string, isActive: boolean } }> } };

export type TypeMappingsOfApplicationQueryVariables = Exact<{
  applicationGuid: string;
  first: number;
  after?: string | null | undefined;
}>;


export type TypeMappingsOfApplicationQuery = { mappings: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ state: string, accessScopeType: { accessScopeTypeGuid: string, name: string, isActive: boolean } }> } };

export type ScopeTypesQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type ScopeTypesQuery = { accessScopeTypes: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ accessScopeTypeGuid: string, name: string, isActive: boolean, mappings: number, accessScopes: { totalCount: number } }> } };

export type ScopesOfTypeQueryVariables = Exact<{
  type: string;
  first: number;
  after?: string | null | undefined;
}>;


export type ScopesOfTypeQuery = { accessScopes: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ accessScopeId: number, accessScopeGuid: string, name: string, isActive: boolean }> } };

export type MatrixQueryVariables = Exact<{
  first: number;
  offset: number;
  filter?: ApplicationFilter | null | undefined;
  type: string;
  scopes: AccessScopeFilter;
  cells: number;
}>;


export type MatrixQuery = { applications: { totalCount: number, nodes: Array<{ applicationGuid: string, name: string, isActive: boolean, accessScopeApplicationsMappers: { nodes: Array<{ state: string, accessScopeId: number }> }, accessScopeTypeApplicationsMappers: { nodes: Array<{ state: string }> } }> } };

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

export type OverviewQueryVariables = Exact<{
  isSecurity: boolean;
  from: string;
  until: string;
}>;


export type OverviewQuery = { overview: { nextKeyAt?: string | null, blockedHolders: number | null, grantsEnding: { total: number, thisWeek: number, lastProfile: number } | null, changedByHand: Array<{ managedBy: string, appliedAt: string, records: number }> | null, twoSecrets?: { totalCount: number, nodes: Array<{ clientId: string, name: string, previousSecretEndsAt: string | null }> } | null, unusedGrants: { total: number, never: number, usesCountedSince: string } | null, signInHours?: Array<{ hour: string, signIns: number, refusals: number }> | null }, ending: { totalCount: number, nodes: Array<{ userProfileId: number, validUntil: string | null, user: { userGuid: string, firstName: string | null, lastName: string | null, email: string | null }, profile: { name: string }, role: { name: string } }> }, signingKeys?: { totalCount: number, nodes: Array<{ state: string, activatedAt: string | null }> } | null };

export type OverviewProposalsQueryVariables = Exact<{ [key: string]: never; }>;


export type OverviewProposalsQuery = { waiting: { totalCount: number, nodes: Array<{ proposalGuid: string, title: string, proposedAt: string, expiresAt: string, proposedByNavigation: { department: string | null, firstName: string | null, lastName: string | null, email: string | null } | null, proposedEffect: { gains: { users: number }, loses: { users: number } } }> }, open: { totalCount: number }, others: { totalCount: number, nodes: Array<{ proposalGuid: string, title: string, proposedAt: string, expiresAt: string, approvers: { permission: string, owners: Array<{ name: string }> }, proposedByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null }> }, overview: { reviews: { totalCount: number, nodes: Array<{ reviewGuid: string, name: string, dueAt: string, counts: { total: number, decided: number, mine: { undecided: number } } }> } | null, goLives: { totalCount: number, nodes: Array<{ proposalGuid: string, title: string, state: ProposalState, applyAt: string | null, proposedEffect: { gains: { users: number }, loses: { users: number } } }> } | null } };

export type OverviewChangesQueryVariables = Exact<{ [key: string]: never; }>;


export type OverviewChangesQuery = { changeSets: { totalCount: number, nodes: Array<{ changeSetGuid: string, occurredAt: string, face: string, note: string | null, summary: string | null, actorNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null }> } | null };

export type ProposedCountsFragment = { proposedEffect: { gains: { users: number }, loses: { users: number } } };

export type FindQueryVariables = Exact<{
  text: string;
  applications?: ApplicationFilter | null | undefined;
  profiles?: ProfileFilter | null | undefined;
  scopes?: AccessScopeFilter | null | undefined;
  roles?: RoleFilter | null | undefined;
}>;


export type FindQuery = { search: Array<{ kind: SearchKind, id: string, label: string, hint: string | null }>, applications: { nodes: Array<{ applicationGuid: string, name: string, appType: string }> }, users: { totalCount: number, nodes: Array<{ userGuid: string, firstName: string | null, lastName: string | null, email: string | null }> }, profiles: { nodes: Array<{ profileId: string, name: string }> }, accessScopes: { nodes: Array<{ accessScopeGuid: string, name: string, accessScopeKey: string | null }> }, accessScopeTypes: { totalCount: number, nodes: Array<{ accessScopeTypeGuid: string, name: string }> }, roles: { nodes: Array<{ roleId: string, name: string }> }, listedApplications: { totalCount: number }, listedProfiles: { totalCount: number }, listedScopes: { totalCount: number }, listedRoles: { totalCount: number } };

export type FindPeopleQueryVariables = Exact<{
  text: string;
}>;


export type FindPeopleQuery = { users: { totalCount: number, nodes: Array<{ userGuid: string, firstName: string | null, lastName: string | null, email: string | null, department: string | null, isBlocked: boolean, revision: number }> } };

export type FindApplicationsQueryVariables = Exact<{
  text: string;
}>;


export type FindApplicationsQuery = { applications: { totalCount: number, nodes: Array<{ applicationGuid: string, name: string, appType: string }> } };

export type SignInNeedsQueryVariables = Exact<{
  userGuid?: string | null | undefined;
  idpname?: string | null | undefined;
  idpid?: string | null | undefined;
}>;


export type SignInNeedsQuery = { signInNeeds: Array<{ issuer: string, idpname: string, audiences: Array<string>, sub: string | null, text: string }> };

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


export type PresentApplicationQuery = { record: { modifiedDate: string | null, revision: number, name: string, description: string | null, appType: string, renderingMode: string, linkType: string, globalExternalLink: string | null, iconDefault: string, iconHover: string, translationGroup: string | null, isIframe: boolean | null, isTokenExchangeRequired: boolean | null, isRequestable: boolean, ownerProfileId: string | null, isActive: boolean, modifiedByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null } | null };

export type PresentUserQueryVariables = Exact<{
  id: string;
}>;


export type PresentUserQuery = { record: { revision: number, isBlocked: boolean, firstName: string | null, lastName: string | null, email: string | null, telephone: string | null, jobTitle: string | null, department: string | null, idpname: string | null, idpid: string | null, modifiedDate: string | null, modifiedByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null } | null };

export type PresentProfileQueryVariables = Exact<{
  id: string;
  first: number;
  after?: string | null | undefined;
}>;


export type PresentProfileQuery = { record: { revision: number, name: string, description: string | null, ownerProfileId: string | null, modifiedDate: string | null, profileAccessScopes: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ accessScope: { accessScopeGuid: string, name: string } }> }, modifiedByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null } | null };

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
  count: number;
  fields: Array<string> | string;
  languages: Array<string> | string;
  texts: number;
}>;


export type PresentTextsQuery = { translationGroups: { nodes: Array<{ translationGroup: string, translations: { nodes: Array<{ managedBy: string | null, fieldName: string, languageCode: string, translatedText: string }> } }> } };

export type ProfileRowsQueryVariables = Exact<{
  first: number;
  offset: number;
  filter?: ProfileFilter | null | undefined;
  orderBy?: Array<ProfileOrderBy> | ProfileOrderBy | null | undefined;
}>;


export type ProfileRowsQuery = { profiles: { totalCount: number, nodes: Array<{ profileId: string, name: string, description: string | null, managedBy: string | null, createdDate: string, modifiedDate: string | null, profileAccessScopes: { totalCount: number, nodes: Array<{ profileAccessScopeId: number, accessScope: { name: string } }> }, userProfiles: { totalCount: number } }> } };

export type ProfilePageQueryVariables = Exact<{
  profileId: string;
  held: string;
}>;


export type ProfilePageQuery = { people: { totalCount: number }, profile: { profileId: string, name: string, description: string | null, ownerProfileId: string | null, revision: number, managedBy: string | null, createdDate: string, modifiedDate: string | null, createdByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null, modifiedByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null, profileAccessScopes: { totalCount: number }, opens: { totalCount: number } } | null };

export type OpenedRowsQueryVariables = Exact<{
  profileId: string;
  first: number;
  offset: number;
  text?: string | null | undefined;
  onlyThis?: boolean | null | undefined;
  isActive?: boolean | null | undefined;
}>;


export type OpenedRowsQuery = { profile: { profileId: string, opens: { totalCount: number, nodes: Array<{ profiles: number, application: { applicationGuid: string, name: string, appType: string, isActive: boolean }, accessScopes: Array<{ accessScopeGuid: string, name: string }>, accessScopeTypes: Array<{ accessScopeTypeGuid: string, name: string }> }> } } | null };

export type ScopesOfProfileQueryVariables = Exact<{
  profileId: string;
  first: number;
  after?: string | null | undefined;
}>;


export type ScopesOfProfileQuery = { accessScopes: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ accessScopeGuid: string, name: string, accessScopeKey: string | null, concreteId: number | null, isActive: boolean, isWildcard: boolean, accessScopeType: { name: string }, profileAccessScopes: { totalCount: number, nodes: Array<{ validUntil: string | null }> } }> } };

export type TotalsFragment = { users: number, applications: number, scopes: number, pairs: number, least: number, most: number };

export type SumsFragment = { users: number, applications: number, scopes: number, pairs: number, least: number, most: number };

export type TokensFragment = { users: number, profiles: number, sessions: number, eventStreams: Array<string> | null };

export type DeltaFragment = { users: number, applications: number, scopes: number, pairs: number, least: number, most: number, items: { nodes: Array<{ applicationCount: number, scopes: Array<string>, user: { userGuid: string, firstName: string | null, lastName: string | null, email: string | null }, profile: { profileId: string, name: string }, applications: Array<{ applicationGuid: string, name: string }> }> } };

export type EffectOfFragment = { effect: { effectId: string, gains: { users: number, applications: number, scopes: number, pairs: number, least: number, most: number, items: { nodes: Array<{ applicationCount: number, scopes: Array<string>, user: { userGuid: string, firstName: string | null, lastName: string | null, email: string | null }, profile: { profileId: string, name: string }, applications: Array<{ applicationGuid: string, name: string }> }> } }, loses: { users: number, applications: number, scopes: number, pairs: number, least: number, most: number, items: { nodes: Array<{ applicationCount: number, scopes: Array<string>, user: { userGuid: string, firstName: string | null, lastName: string | null, email: string | null }, profile: { profileId: string, name: string }, applications: Array<{ applicationGuid: string, name: string }> }> } }, tokens: { users: number, profiles: number, sessions: number, eventStreams: Array<string> | null } } | null };

export type EventOfFragment = { auditEventId: string, action: string, subjectType: string, subjectId: string, detail: unknown, record:
    | { name: string }
    | { application: { name: string }, accessScope: { name: string } }
    | { name: string }
    | { application: { name: string }, accessScopeType: { name: string } }
    | { name: string }
    | { name: string }
    | { connectorId: string }
    | { name: string }
    | { name: string }
    | { profile: { name: string }, accessScope: { name: string } }
    | { name: string }
    | { name: string }
    | { firstName: string | null, lastName: string | null, email: string | null }
    | { user: { firstName: string | null, lastName: string | null, email: string | null }, profile: { name: string } }
    | Record<PropertyKey, never>
   | null };

export type TryChangesMutationVariables = Exact<{
  changes: Array<ChangeInput> | ChangeInput;
  areFew: boolean;
}>;


export type TryChangesMutation = { applyChanges: { catalogueVersion: string, effect: { effectId: string, gains: { users: number, applications: number, scopes: number, pairs: number, least: number, most: number } & { users: number, applications: number, scopes: number, pairs: number, least: number, most: number, items?: { nodes: Array<{ applicationCount: number, scopes: Array<string>, user: { userGuid: string, firstName: string | null, lastName: string | null, email: string | null }, profile: { profileId: string, name: string }, applications: Array<{ applicationGuid: string, name: string }> }> } }, loses: { users: number, applications: number, scopes: number, pairs: number, least: number, most: number } & { users: number, applications: number, scopes: number, pairs: number, least: number, most: number, items?: { nodes: Array<{ applicationCount: number, scopes: Array<string>, user: { userGuid: string, firstName: string | null, lastName: string | null, email: string | null }, profile: { profileId: string, name: string }, applications: Array<{ applicationGuid: string, name: string }> }> } }, tokens: { users: number, profiles: number, sessions: number, eventStreams: Array<string> | null }, sentences: Array<{ text: string, count: number }> | null, outcomes: { nodes: Array<{ path: string, outcome: EffectOutcomeKind, reason: EffectOutcomeReason | null, users: number, openBy: { name: string } | null }> } | null, groups: { nodes: Array<{ key: string, gains: { users: number, applications: number, scopes: number, pairs: number, least: number, most: number }, loses: { users: number, applications: number, scopes: number, pairs: number, least: number, most: number } }> } } | null } | null };

export type ApplyChangesMutationVariables = Exact<{
  changes: Array<ChangeInput> | ChangeInput;
  note?: string | null | undefined;
}>;


export type ApplyChangesMutation = { applyChanges: { changeSetGuid: string, isDryRun: boolean } | null };

export type TryUndoMutationVariables = Exact<{
  changeSetGuid: string;
}>;


export type TryUndoMutation = { undoChangeSet: { catalogueVersion: string, removedUsers: number, effect: { effectId: string, gains: { users: number, applications: number, scopes: number, pairs: number, least: number, most: number, items: { nodes: Array<{ applicationCount: number, scopes: Array<string>, user: { userGuid: string, firstName: string | null, lastName: string | null, email: string | null }, profile: { profileId: string, name: string }, applications: Array<{ applicationGuid: string, name: string }> }> } }, loses: { users: number, applications: number, scopes: number, pairs: number, least: number, most: number, items: { nodes: Array<{ applicationCount: number, scopes: Array<string>, user: { userGuid: string, firstName: string | null, lastName: string | null, email: string | null }, profile: { profileId: string, name: string }, applications: Array<{ applicationGuid: string, name: string }> }> } }, tokens: { users: number, profiles: number, sessions: number, eventStreams: Array<string> | null } } | null } | null };

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
  ofScopes: number;
  ofTypes: number;
}>;


export type MappingsNowQuery = { applications: { nodes: Array<{ applicationGuid: string, accessScopeApplicationsMappers: { nodes: Array<{ state: string, modifiedDate: string | null, modifiedByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null, createdByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null, accessScope: { accessScopeGuid: string } }> }, accessScopeTypeApplicationsMappers: { nodes: Array<{ state: string, accessScopeType: { accessScopeTypeGuid: string } }> } }> } };

export type ReviewListQueryVariables = Exact<{
  filter: ReviewListFilter;
  first: number;
  after?: string | null | undefined;
}>;


export type ReviewListQuery = { reviews: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ reviewGuid: string, name: string, state: ReviewState, dueAt: string, startedAt: string, finishedAt: string | null, counts: { total: number, decided: number, mine: { undecided: number } } }> } };

export type ReviewHeadQueryVariables = Exact<{
  reviewGuid: string;
}>;


export type ReviewHeadQuery = { review: { reviewGuid: string, name: string, state: ReviewState, note: string | null, dueAt: string, undecided: ReviewDefault, startedAt: string, finishedAt: string | null, startedByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null, finishedByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null, counts: { total: number, decided: number, undecided: number, keep: number, end: number, endAt: number, changed: number, revision: number, usesCountedSince: string, mine: { total: number, decided: number, undecided: number, neverUsed: number, unused: number, unusual: number } } } | null };

export type ReviewItemRowsQueryVariables = Exact<{
  reviewGuid: string;
  filter: ReviewItemFilter;
  orderBy: Array<ReviewItemOrderBy> | ReviewItemOrderBy;
  first: number;
  offset: number;
}>;


export type ReviewItemRowsQuery = { review: { reviewGuid: string, items: { totalCount: number, nodes: Array<{ itemGuid: string, kind: ReviewGrantKind, userGuid: string | null, userName: string | null, userEmail: string | null, department: string | null, profileId: string, profileName: string, roleId: string | null, accessScopeGuid: string | null, accessScopeName: string | null, validUntil: string | null, managedBy: string | null, grantedAt: string, lastUsedAt: string | null, opens: number, isUnusual: boolean, revision: number, decision: ReviewDecision | null, until: string | null, decisionNote: string | null, decidedAt: string | null, outcome: ReviewOutcome | null, role: { name: string } | null, grantedByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null, decidedByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null }> } } | null };

export type DecideReviewItemsMutationVariables = Exact<{
  reviewGuid: string;
  items: Array<ReviewDecisionInput> | ReviewDecisionInput;
}>;


export type DecideReviewItemsMutation = { decideReviewItems: { reviewGuid: string } | null };

export type ReviewSizeQueryVariables = Exact<{
  filter: ReviewFilter;
}>;


export type ReviewSizeQuery = { reviewSize: { grants: number, people: number, profiles: number, isTooLarge: boolean } };

export type StartReviewMutationVariables = Exact<{
  name: string;
  filter: ReviewFilter;
  dueAt: string;
  undecided: ReviewDefault;
  note?: string | null | undefined;
  reviewGuid?: string | null | undefined;
}>;


export type StartReviewMutation = { startReview: { reviewGuid: string } | null };

export type FinishReviewMutationVariables = Exact<{
  reviewGuid: string;
  ifRevision?: number | null | undefined;
  dryRun: boolean;
}>;


export type FinishReviewMutation = { finishReview: { reviewGuid: string, state: ReviewState, effect?: { effectId: string, gains: { users: number, applications: number, scopes: number, pairs: number, least: number, most: number, items: { nodes: Array<{ applicationCount: number, scopes: Array<string>, user: { userGuid: string, firstName: string | null, lastName: string | null, email: string | null }, profile: { profileId: string, name: string }, applications: Array<{ applicationGuid: string, name: string }> }> } }, loses: { users: number, applications: number, scopes: number, pairs: number, least: number, most: number, items: { nodes: Array<{ applicationCount: number, scopes: Array<string>, user: { userGuid: string, firstName: string | null, lastName: string | null, email: string | null }, profile: { profileId: string, name: string }, applications: Array<{ applicationGuid: string, name: string }> }> } }, tokens: { users: number, profiles: number, sessions: number, eventStreams: Array<string> | null } } | null } | null };

export type CancelReviewMutationVariables = Exact<{
  reviewGuid: string;
}>;


export type CancelReviewMutation = { cancelReview: { reviewGuid: string, state: ReviewState } | null };

export type ReviewProgressQueryVariables = Exact<{
  reviewGuid: string;
}>;


export type ReviewProgressQuery = { review: { reviewGuid: string, effectAt: string | null, effect: { effectId: string, loses: { users: number }, tokens: { sessions: number } } | null, owners: { totalCount: number, nodes: Array<{ decided: number, total: number, owner: { profileId: string, name: string } | null }> } } | null };

export type ReviewOwnersQueryVariables = Exact<{
  reviewGuid: string;
  first: number;
  after?: string | null | undefined;
}>;


export type ReviewOwnersQuery = { review: { reviewGuid: string, owners: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ decided: number, total: number, owner: { profileId: string, name: string } | null }> } } | null };

export type ReviewOwnerNameQueryVariables = Exact<{
  profileId: string;
}>;


export type ReviewOwnerNameQuery = { profile: { profileId: string, name: string } | null };

export type ReviewEndsQueryVariables = Exact<{
  reviewGuid: string;
  filter: ReviewItemFilter;
  first: number;
  after?: string | null | undefined;
}>;


export type ReviewEndsQuery = { review: { reviewGuid: string, items: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ itemGuid: string, userName: string | null, userEmail: string | null, profileName: string, accessScopeName: string | null, decision: ReviewDecision | null, until: string | null }> } } | null };

export type ReviewOpensQueryVariables = Exact<{
  profileId: string;
  accessScopeGuid?: string | null | undefined;
}>;


export type ReviewOpensQuery = { profile: { profileId: string, opens: { totalCount: number, nodes: Array<{ profiles: number, application: { applicationGuid: string, name: string }, accessScopes: Array<{ accessScopeGuid: string, name: string }>, accessScopeTypes: Array<{ accessScopeTypeGuid: string, name: string }> }> } } | null };

export type RoleRowsQueryVariables = Exact<{
  first: number;
  offset: number;
  filter?: RoleFilter | null | undefined;
  orderBy?: Array<RoleOrderBy> | RoleOrderBy | null | undefined;
}>;


export type RoleRowsQuery = { roles: { totalCount: number, nodes: Array<{ roleId: string, name: string, description: string | null, managedBy: string | null, createdDate: string, modifiedDate: string | null, userProfiles: { totalCount: number } }> } };

export type RolePageQueryVariables = Exact<{
  roleId: string;
  held: string;
}>;


export type RolePageQuery = { people: { totalCount: number }, role: { roleId: string, name: string, description: string | null, revision: number, managedBy: string | null, createdDate: string, modifiedDate: string | null, createdByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null, modifiedByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null, userProfiles: { totalCount: number } } | null };

export type ScopeRowsQueryVariables = Exact<{
  first: number;
  offset: number;
  filter?: AccessScopeFilter | null | undefined;
  orderBy?: Array<AccessScopeOrderBy> | AccessScopeOrderBy | null | undefined;
  opening?: Array<string> | string | null | undefined;
}>;


export type ScopeRowsQuery = { accessScopes: { totalCount: number, nodes: Array<{ accessScopeGuid: string, name: string, accessScopeKey: string | null, concreteId: number | null, isWildcard: boolean, isActive: boolean, managedBy: string | null, createdDate: string, modifiedDate: string | null, accessScopeType: { name: string, accessScopeTypeApplicationsMappers: { totalCount: number } }, accessScopeApplicationsMappers: { totalCount: number }, profileAccessScopes: { totalCount: number } }> } };

export type AccessScopeFieldsFragment = { revision: number, name: string, description: string | null, accessScopeKey: string | null, concreteId: number | null, isWildcard: boolean, isActive: boolean, translationGroup: string | null };

export type ScopePageQueryVariables = Exact<{
  accessScopeGuid: string;
}>;


export type ScopePageQuery = { accessScope: { accessScopeGuid: string, managedBy: string | null, createdDate: string, modifiedDate: string | null, revision: number, name: string, description: string | null, accessScopeKey: string | null, concreteId: number | null, isWildcard: boolean, isActive: boolean, translationGroup: string | null, createdByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null, modifiedByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null, translations: { totalCount: number }, accessScopeType: { accessScopeTypeGuid: string, name: string, isActive: boolean }, accessScopeApplicationsMappers: { totalCount: number }, profileAccessScopes: { totalCount: number } } | null };

export type ScopeProfilesQueryVariables = Exact<{
  first: number;
  offset: number;
  filter?: ProfileFilter | null | undefined;
  orderBy?: Array<ProfileOrderBy> | ProfileOrderBy | null | undefined;
}>;


export type ScopeProfilesQuery = { profiles: { totalCount: number, nodes: Array<{ profileId: string, name: string, userProfiles: { totalCount: number } }> } };

export type MeQueryVariables = Exact<{ [key: string]: never; }>;


export type MeQuery = { viewer: { userGuid: string, profileId: string, permissions: Array<string>, mappingActiveStates: Array<string>, timeZone: string, approvals: string, signedInAt: string | null, sessionEndsAt: string | null, administrationProfiles: Array<{ profileId: string, name: string, permissions: Array<string> }>, user: { firstName: string | null, lastName: string | null, email: string | null } | null } };

export type WaitingQueryVariables = Exact<{ [key: string]: never; }>;


export type WaitingQuery = { viewer: { waiting: { proposals: number, reviewItems: number } } };

export type PersonOfFragment = { firstName: string | null, lastName: string | null, email: string | null };

export type TextOfFragment = { fieldName: string, languageCode: string, translatedText: string };

export type ApplicationTextsQueryVariables = Exact<{
  first: number;
  offset: number;
  filter?: ApplicationFilter | null | undefined;
  field: string;
  languages: number;
}>;


export type ApplicationTextsQuery = { records: { totalCount: number, nodes: Array<{ name: string, description: string | null, translationGroup: string | null, guid: string, translations: { pageInfo: { hasNextPage: boolean }, nodes: Array<{ fieldName: string, languageCode: string, translatedText: string }> } }> } };

export type ScopeTextsQueryVariables = Exact<{
  first: number;
  offset: number;
  filter?: AccessScopeFilter | null | undefined;
  field: string;
  languages: number;
}>;


export type ScopeTextsQuery = { records: { totalCount: number, nodes: Array<{ name: string, description: string | null, translationGroup: string | null, guid: string, translations: { pageInfo: { hasNextPage: boolean }, nodes: Array<{ fieldName: string, languageCode: string, translatedText: string }> } }> } };

export type TypeTextsQueryVariables = Exact<{
  first: number;
  offset: number;
  filter?: AccessScopeTypeFilter | null | undefined;
  field: string;
  languages: number;
}>;


export type TypeTextsQuery = { records: { totalCount: number, nodes: Array<{ name: string, description: string | null, translationGroup: string | null, guid: string, translations: { pageInfo: { hasNextPage: boolean }, nodes: Array<{ fieldName: string, languageCode: string, translatedText: string }> } }> } };

export type TextsOfGroupQueryVariables = Exact<{
  translationGroup: string;
  first: number;
  after?: string | null | undefined;
}>;


export type TextsOfGroupQuery = { translationGroups: { totalCount: number, nodes: Array<{ translationGroup: string, translations: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ fieldName: string, languageCode: string, translatedText: string }> } }> } };

export type UsedLanguagesQueryVariables = Exact<{ [key: string]: never; }>;


export type UsedLanguagesQuery = { applications: { nodes: Array<{ translations: { nodes: Array<{ languageCode: string }> } }> } };

export type TypeRowsQueryVariables = Exact<{
  first: number;
  offset: number;
  filter?: AccessScopeTypeFilter | null | undefined;
  orderBy?: Array<AccessScopeTypeOrderBy> | AccessScopeTypeOrderBy | null | undefined;
  opening?: Array<string> | string | null | undefined;
}>;


export type TypeRowsQuery = { accessScopeTypes: { totalCount: number, nodes: Array<{ accessScopeTypeGuid: string, name: string, description: string | null, managedBy: string | null, isActive: boolean, createdDate: string, modifiedDate: string | null, accessScopes: { totalCount: number }, accessScopeTypeApplicationsMappers: { totalCount: number } }> } };

export type AccessScopeTypeFieldsFragment = { revision: number, name: string, description: string | null, isActive: boolean, translationGroup: string | null };

export type TypePageQueryVariables = Exact<{
  accessScopeTypeGuid: string;
}>;


export type TypePageQuery = { accessScopeType: { accessScopeTypeGuid: string, managedBy: string | null, createdDate: string, modifiedDate: string | null, revision: number, name: string, description: string | null, isActive: boolean, translationGroup: string | null, createdByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null, modifiedByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null, translations: { totalCount: number }, accessScopes: { totalCount: number }, accessScopeTypeApplicationsMappers: { totalCount: number } } | null };

export type UsageOfFragment = { operation: string, option: string | null, mediaType: string | null, product: string | null, firstSeenAt: string, lastSeenAt: string, count: number, brownouts: number };

export type UsageRowsQueryVariables = Exact<{
  first: number;
  offset: number;
  operation?: string | null | undefined;
  since?: string | null | undefined;
  clientId?: string | null | undefined;
  brownedOut?: boolean | null | undefined;
  ofConsole?: boolean | null | undefined;
}>;


export type UsageRowsQuery = { totalCount: number, nodes: Array<{ clientId: string | null, caller: string | null, operation: string, option: string | null, mediaType: string | null, product: string | null, firstSeenAt: string, lastSeenAt: string, count: number, brownouts: number, client: { name: string } | null, callerNavigation: { firstName: string | null, lastName: string | null } | null }> };

export type UserPageQueryVariables = Exact<{
  userGuid: string;
}>;


export type UserPageQuery = { user: { userGuid: string, firstName: string | null, lastName: string | null, email: string | null, telephone: string | null, jobTitle: string | null, department: string | null, idpname: string | null, idpid: string | null, userName: string | null, languagePreference: string | null, isBlocked: boolean, lastLoginDate: string | null, revision: number, createdDate: string, modifiedDate: string | null, createdByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null, modifiedByNavigation: { firstName: string | null, lastName: string | null, email: string | null } | null, userProfiles: { totalCount: number } } | null };

export type UserHoldingsQueryVariables = Exact<{
  userGuid: string;
  first: number;
  after?: string | null | undefined;
}>;


export type UserHoldingsQuery = { userProfiles: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ userProfileId: number, revision: number, createdDate: string, validUntil: string | null, lastUsedAt: string | null, role: { roleId: string, name: string }, profile: { profileId: string, name: string, profileAccessScopes: { totalCount: number, nodes: Array<{ accessScope: { accessScopeGuid: string, name: string, isActive: boolean } }> } } }> } };

export type ProfileOpensQueryVariables = Exact<{
  profileId: string;
  first: number;
  after?: string | null | undefined;
}>;


export type ProfileOpensQuery = { profile: { profileId: string, opens: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ application: { applicationGuid: string, name: string, appType: string } }> } } | null };

export type ProfilesToGiveQueryVariables = Exact<{
  filter?: ProfileFilter | null | undefined;
  userGuid: string;
}>;


export type ProfilesToGiveQuery = { profiles: { totalCount: number, nodes: Array<{ profileId: string, name: string, wouldGive: { isHeld: boolean, opens: number, applications: number, scopes: number, entries: Array<string>, newApplications: Array<{ applicationGuid: string, name: string }> } }> } };

export type WouldGiveFragment = { wouldGive: { isHeld: boolean, opens: number, applications: number, scopes: number, entries: Array<string>, newApplications: Array<{ applicationGuid: string, name: string }> } };

export type SessionsQueryVariables = Exact<{
  userGuid: string;
  first: number;
  after?: string | null | undefined;
}>;


export type SessionsQuery = { tokens: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, tokenType: string, startedAt: string, createdAt: string, expiresAt: string, createdByIp: string | null, generation: number, profile: { name: string } | null, client: { clientId: string, name: string } | null }> } | null };

export type ConsoleSessionsQueryVariables = Exact<{
  userGuid: string;
}>;


export type ConsoleSessionsQuery = { consoleSessions: Array<{ sessionId: string, profileId: string, profileName: string | null, startedAt: string, seenAt: string, endsAt: string, isCurrent: boolean }> };

export type EndConsoleSessionMutationVariables = Exact<{
  sessionId: string;
}>;


export type EndConsoleSessionMutation = { endConsoleSession: boolean | null };

export type RevokeTokensMutationVariables = Exact<{
  tokenId?: string | null | undefined;
  userGuid?: string | null | undefined;
  clientId?: string | null | undefined;
}>;


export type RevokeTokensMutation = { revokeTokens: number | null };

export type UserRowsQueryVariables = Exact<{
  first: number;
  offset: number;
  filter?: UserFilter | null | undefined;
  orderBy?: Array<UserOrderBy> | UserOrderBy | null | undefined;
}>;


export type UserRowsQuery = { users: { totalCount: number, nodes: Array<{ userGuid: string, firstName: string | null, lastName: string | null, email: string | null, jobTitle: string | null, department: string | null, isBlocked: boolean, lastLoginDate: string | null, userProfiles: { totalCount: number, nodes: Array<{ userProfileId: number, profile: { profileId: string, name: string } }> } }> } };

export type UserGuidsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  filter?: UserFilter | null | undefined;
}>;


export type UserGuidsQuery = { users: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ userGuid: string }> } };

export type UnusualProfilesQueryVariables = Exact<{
  users: Array<string> | string;
  first: number;
}>;


export type UnusualProfilesQuery = { users: { nodes: Array<{ userGuid: string, department: string | null, unusualProfiles: Array<{ holders: number, colleagues: number, profile: { profileId: string, name: string } }> | null }> } };

export type FilterNamesQueryVariables = Exact<{
  profileId: string;
  roleId: string;
}>;


export type FilterNamesQuery = { profile: { profileId: string, name: string } | null, role: { roleId: string, name: string } | null };

export type WhyQueryVariables = Exact<{
  userGuid: string;
  applicationGuid: string;
}>;


export type WhyQuery = { user: { userGuid: string, firstName: string | null, lastName: string | null, email: string | null, jobTitle: string | null, isBlocked: boolean, revision: number } | null, application: { applicationGuid: string, name: string, appType: string, isActive: boolean } | null, explainAccess: { isOpen: boolean, reasons: Array<string>, openWays: number, ownWays: number, ways: Array<{ isOpen: boolean, links: Array<{ holds: boolean, reason: AccessReason | null, text: string, userProfile: { role: { name: string } } | null, profile: { profileId: string, name: string } | null, accessScope: { accessScopeGuid: string, name: string, accessScopeKey: string | null, concreteId: number | null, isWildcard: boolean, isActive: boolean } | null, accessScopeType: { accessScopeTypeGuid: string, name: string } | null, accessScopeApplicationsMapper: { state: string } | null, accessScopeTypeApplicationsMapper: { state: string } | null }> }> } };

export type WhyRemediesQueryVariables = Exact<{
  userGuid: string;
  applicationGuid: string;
}>;


export type WhyRemediesQuery = { explainAccess: { remedies: Array<{ text: string, changes: Array<unknown>, othersGaining: number }> } };

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
