import os
from uuid import UUID

from gatehouse import AuthenticatedClient
from gatehouse.api.applications import create_application, get_application, list_applications
from gatehouse.api.mappings import (
    create_access_scopes,
    delete_access_scope,
    delete_access_scopes,
    list_access_scopes,
    update_access_scopes,
)
from gatehouse.models import (
    AccessScopeApplicationsMapperCreateDTO,
    AccessScopeApplicationsMapperDeleteDTO,
    AccessScopeApplicationsMapperUpdateDTO,
    ApplicationCreateDTO,
)

scopes = [UUID(scope) for scope in os.environ["ACCESS_SCOPES"].split(",")]
client = AuthenticatedClient(base_url=os.environ["GATEHOUSE"], token=os.environ["ADMIN_TOKEN"], raise_on_unexpected_status=True)
version = {"client": client, "api_version": "1.0"}

body = ApplicationCreateDTO(
    name="Gate",
    icon_default="gate.svg",
    icon_hover="gate-hover.svg",
    app_type="web",
    rendering_mode="page",
    link_type="internal",
)
guid = create_application.sync(body=body, **version).application_guid
print(get_application.sync(guid, **version).name)
print(list_applications.sync(filter_="name eq 'Gate'", select="appType", **version)[0].app_type)

added = create_access_scopes.sync(guid, body=[AccessScopeApplicationsMapperCreateDTO(scope) for scope in scopes], **version)
changed = update_access_scopes.sync(guid, body=[AccessScopeApplicationsMapperUpdateDTO(scopes[0], state="planned")], **version)
print(len(added), changed[0].state)
delete_access_scope.sync_detailed(guid, scopes[0], **version)
delete_access_scopes.sync_detailed(guid, body=[AccessScopeApplicationsMapperDeleteDTO(scopes[1])], **version)
print(len(list_access_scopes.sync(guid, **version)))
