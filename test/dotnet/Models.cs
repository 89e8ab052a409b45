// The records as a generator wrote them from the old description: exact names, nullable where it said so.
using System;
using System.Collections.Generic;
using Newtonsoft.Json;

public sealed class TokenResponse
{
    [JsonProperty("access_token", Required = Required.Always)] public string AccessToken;
    [JsonProperty("refresh_token", Required = Required.Always)] public string RefreshToken;
    [JsonProperty("token_type", Required = Required.Always)] public string TokenType;
    [JsonProperty("expires_in", Required = Required.Always)] public int ExpiresIn;
}

public sealed class StatusResponse
{
    [JsonProperty("status", Required = Required.Always)] public string Status;
}

public sealed class Claims
{
    [JsonProperty("iss", Required = Required.Always)] public string Iss;
    [JsonProperty("sub", Required = Required.Always)] public Guid Sub;
    [JsonProperty("aud", Required = Required.Always)] public List<string> Aud;
    [JsonProperty("profileId", Required = Required.Always)] public string ProfileId;
    [JsonProperty("roleId", Required = Required.Always)] public string RoleId;
    [JsonProperty("scopes", Required = Required.Always)] public List<string> Scopes;
    [JsonProperty("exp", Required = Required.Always)] public long Exp;
    [JsonProperty("iat", Required = Required.Always)] public long Iat;
}

public sealed class ValidationResponse
{
    [JsonProperty("is_valid", Required = Required.Always)] public bool IsValid;
    [JsonProperty("claims")] public Claims Claims;
    [JsonProperty("error")] public string Error;
}

public abstract class Stamped
{
    [JsonProperty("createdDate", Required = Required.Always)] public DateTimeOffset CreatedDate;
    [JsonProperty("createdBy", Required = Required.Always)] public Guid CreatedBy;
    [JsonProperty("modifiedDate", Required = Required.AllowNull)] public DateTimeOffset? ModifiedDate;
    [JsonProperty("modifiedBy", Required = Required.AllowNull)] public Guid? ModifiedBy;
    [JsonProperty("createdByNavigation", Required = Required.AllowNull)] public UserDTO CreatedByNavigation;
    [JsonProperty("modifiedByNavigation", Required = Required.AllowNull)] public UserDTO ModifiedByNavigation;
}

public sealed class ApplicationResponseDTO : Stamped
{
    [JsonProperty("applicationId", Required = Required.Always)] public int ApplicationId;
    [JsonProperty("applicationGuid", Required = Required.Always)] public Guid ApplicationGuid;
    [JsonProperty("name", Required = Required.AllowNull)] public string Name;
    [JsonProperty("description", Required = Required.AllowNull)] public string Description;
    [JsonProperty("iconDefault", Required = Required.AllowNull)] public string IconDefault;
    [JsonProperty("iconHover", Required = Required.AllowNull)] public string IconHover;
    [JsonProperty("appType", Required = Required.AllowNull)] public string AppType;
    [JsonProperty("renderingMode", Required = Required.AllowNull)] public string RenderingMode;
    [JsonProperty("linkType", Required = Required.AllowNull)] public string LinkType;
    [JsonProperty("globalExternalLink", Required = Required.AllowNull)] public string GlobalExternalLink;
    [JsonProperty("translationGroup", Required = Required.AllowNull)] public string TranslationGroup;
    [JsonProperty("isTokenExchangeRequired", Required = Required.AllowNull)] public bool? IsTokenExchangeRequired;
    [JsonProperty("isIframe", Required = Required.AllowNull)] public bool? IsIframe;
    [JsonProperty("isActive", Required = Required.Always)] public bool IsActive;
    [JsonProperty("accessScopeApplicationsMappers", Required = Required.AllowNull)] public List<AccessScopeApplicationsMapperDTO> AccessScopeApplicationsMappers;
    [JsonProperty("accessScopeTypeApplicationsMappers", Required = Required.AllowNull)] public List<AccessScopeTypeApplicationsMapperDTO> AccessScopeTypeApplicationsMappers;
    [JsonProperty("translations", Required = Required.AllowNull)] public List<TranslationDTO> Translations;
}

public sealed class ApplicationCreateDTO
{
    [JsonProperty("name")] public string Name;
    [JsonProperty("description")] public string Description;
    [JsonProperty("iconDefault")] public string IconDefault;
    [JsonProperty("iconHover")] public string IconHover;
    [JsonProperty("appType")] public string AppType;
    [JsonProperty("renderingMode")] public string RenderingMode;
    [JsonProperty("linkType")] public string LinkType;
    [JsonProperty("globalExternalLink")] public string GlobalExternalLink;
    [JsonProperty("isTokenExchangeRequired")] public bool? IsTokenExchangeRequired;
    [JsonProperty("isIFrame")] public bool? IsIFrame;
    [JsonProperty("translationGroup")] public string TranslationGroup;
}

public sealed class AccessScopeApplicationsMapperDTO : Stamped
{
    [JsonProperty("accessScopeApplicationsMapperId", Required = Required.Always)] public int AccessScopeApplicationsMapperId;
    [JsonProperty("accessScopeId", Required = Required.Always)] public int AccessScopeId;
    [JsonProperty("applicationId", Required = Required.Always)] public int ApplicationId;
    [JsonProperty("state", Required = Required.AllowNull)] public string State;
    [JsonProperty("individualExternalLink", Required = Required.AllowNull)] public string IndividualExternalLink;
    [JsonProperty("accessScope", Required = Required.AllowNull)] public AccessScopeDTO AccessScope;
    [JsonProperty("application", Required = Required.AllowNull)] public ApplicationResponseDTO Application;
}

public sealed class AccessScopeTypeApplicationsMapperDTO : Stamped
{
    [JsonProperty("accessScopeTypeApplicationsMapperId", Required = Required.Always)] public int AccessScopeTypeApplicationsMapperId;
    [JsonProperty("accessScopeTypeId", Required = Required.Always)] public int AccessScopeTypeId;
    [JsonProperty("applicationId", Required = Required.Always)] public int ApplicationId;
    [JsonProperty("state", Required = Required.AllowNull)] public string State;
    [JsonProperty("accessScopeType", Required = Required.AllowNull)] public AccessScopeTypeDTO AccessScopeType;
}

public sealed class AccessScopeDTO : Stamped
{
    [JsonProperty("accessScopeId", Required = Required.Always)] public int AccessScopeId;
    [JsonProperty("accessScopeGuid", Required = Required.Always)] public Guid AccessScopeGuid;
    [JsonProperty("name", Required = Required.AllowNull)] public string Name;
    [JsonProperty("accessScopeKey", Required = Required.AllowNull)] public string AccessScopeKey;
    [JsonProperty("accessScopeTypeId", Required = Required.Always)] public int AccessScopeTypeId;
    [JsonProperty("concreteId", Required = Required.AllowNull)] public int? ConcreteId;
    [JsonProperty("description", Required = Required.AllowNull)] public string Description;
    [JsonProperty("translationGroup", Required = Required.AllowNull)] public string TranslationGroup;
    [JsonProperty("isWildcard", Required = Required.Always)] public bool IsWildcard;
    [JsonProperty("isActive", Required = Required.Always)] public bool IsActive;
    [JsonProperty("accessScopeType", Required = Required.AllowNull)] public AccessScopeTypeDTO AccessScopeType;
}

public sealed class AccessScopeTypeDTO : Stamped
{
    [JsonProperty("accessScopeTypeId", Required = Required.Always)] public int AccessScopeTypeId;
    [JsonProperty("accessScopeTypeGuid", Required = Required.Always)] public Guid AccessScopeTypeGuid;
    [JsonProperty("name", Required = Required.AllowNull)] public string Name;
    [JsonProperty("description", Required = Required.AllowNull)] public string Description;
    [JsonProperty("translationGroup", Required = Required.AllowNull)] public string TranslationGroup;
    [JsonProperty("isActive", Required = Required.Always)] public bool IsActive;
}

public sealed class TranslationDTO
{
    [JsonProperty("fieldName", Required = Required.Always)] public string FieldName;
    [JsonProperty("languageCode", Required = Required.Always)] public string LanguageCode;
    [JsonProperty("translatedText", Required = Required.Always)] public string TranslatedText;
}

public sealed class UserDTO
{
    [JsonProperty("userId", Required = Required.Always)] public int UserId;
    [JsonProperty("userGuid", Required = Required.Always)] public Guid UserGuid;
    [JsonProperty("salutation", Required = Required.AllowNull)] public string Salutation;
    [JsonProperty("title", Required = Required.AllowNull)] public string Title;
    [JsonProperty("firstName", Required = Required.AllowNull)] public string FirstName;
    [JsonProperty("lastName", Required = Required.AllowNull)] public string LastName;
    [JsonProperty("idpname", Required = Required.AllowNull)] public string Idpname;
    [JsonProperty("idpid", Required = Required.AllowNull)] public string Idpid;
    [JsonProperty("telephone", Required = Required.AllowNull)] public string Telephone;
    [JsonProperty("email", Required = Required.AllowNull)] public string Email;
    [JsonProperty("status", Required = Required.AllowNull)] public string Status;
    [JsonProperty("statusId", Required = Required.AllowNull)] public int? StatusId;
    [JsonProperty("lastLoginDate", Required = Required.AllowNull)] public DateTimeOffset? LastLoginDate;
    [JsonProperty("createdBy", Required = Required.Always)] public Guid CreatedBy;
    [JsonProperty("modifiedBy", Required = Required.AllowNull)] public Guid? ModifiedBy;
    [JsonProperty("createdDate", Required = Required.Always)] public DateTimeOffset CreatedDate;
    [JsonProperty("modifiedDate", Required = Required.AllowNull)] public DateTimeOffset? ModifiedDate;
    [JsonProperty("jobTitle", Required = Required.AllowNull)] public string JobTitle;
    [JsonProperty("jobTitleAdditional", Required = Required.AllowNull)] public string JobTitleAdditional;
    [JsonProperty("jobTitleId", Required = Required.AllowNull)] public int? JobTitleId;
    [JsonProperty("department", Required = Required.AllowNull)] public string Department;
    [JsonProperty("languagePreference", Required = Required.AllowNull)] public string LanguagePreference;
    [JsonProperty("emailSubscriptions", Required = Required.AllowNull)] public string EmailSubscriptions;
    [JsonProperty("notificationOptions", Required = Required.AllowNull)] public string NotificationOptions;
    [JsonProperty("anbversion", Required = Required.AllowNull)] public string Anbversion;
    [JsonProperty("anbacceptanceDate", Required = Required.AllowNull)] public DateTimeOffset? AnbacceptanceDate;
    [JsonProperty("assignedCustomerSupportGuid", Required = Required.AllowNull)] public Guid? AssignedCustomerSupportGuid;
    [JsonProperty("invitedBy", Required = Required.AllowNull)] public Guid? InvitedBy;
    [JsonProperty("invitationDate", Required = Required.AllowNull)] public DateTimeOffset? InvitationDate;
    [JsonProperty("uipreferences", Required = Required.AllowNull)] public string Uipreferences;
}
