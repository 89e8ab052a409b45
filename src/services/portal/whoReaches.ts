/** Who reaches an application: every profile that opens it, by which access scope and which mapping. */
import type { Context } from '../../context.js';
import { notFound, tooLarge } from '../../errors.js';
import { permit } from '../permit.js';
import { openings } from './openedApplications.js';

export interface Access {
  profileId: string;
  accessScopeId: number;
  accessScopeApplicationsMapperId: number | null;
  accessScopeTypeApplicationsMapperId: number | null;
  link: string | null;
}

const accessesMax = 10_000;

/** Throws NOT_FOUND. An application out of use is reached by nobody. */
export async function listAccessOf(context: Context, applicationGuid: string): Promise<Access[]> {
  permit(context, 'admin:read');
  const { reads, config } = context;
  const [application] = await reads.rows<{ application_id: number }>(
    'select application_id from applications where application_guid = $1::uuid',
    [applicationGuid],
  );
  if (!application) throw notFound('The application');
  const accesses = await reads.rows<Access>(
    `select profile_id as "profileId", access_scope_id as "accessScopeId",
       access_scope_applications_mapper_id as "accessScopeApplicationsMapperId",
       access_scope_type_applications_mapper_id as "accessScopeTypeApplicationsMapperId",
       coalesce(opening.link, a.global_external_link) as link
     from (${openings('m.application_id = $2')}) opening
     join applications a on a.application_id = opening.application_id and a.is_active
     order by profile_id collate "C", access_scope_id, access_scope_applications_mapper_id nulls last limit ${accessesMax + 1}`,
    [config.mappingActiveStates, application.application_id],
  );
  if (accesses.length > accessesMax) throw tooLarge(`More than ${accessesMax} ways lead to the application.`);
  return accesses;
}
