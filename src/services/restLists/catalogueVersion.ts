/** The catalogue's version as the lists' ETags have it. */
import type { Context } from '../../context.js';
import { comparableVersion, versionStatement } from '../../entities/CatalogueVersion.js';
import { notFound } from '../../errors.js';
import { permit } from '../permit.js';

/** The version of everything administered, to be compared: read before a list, so that the list is never older than it says. */
export async function catalogueVersion(context: Context): Promise<string> {
  permit(context, 'admin:read');
  const [row] = await context.reads.rows<{ version: string }>(versionStatement);
  return row!.version;
}

/** The same, and the number of an application. Throws NOT_FOUND. */
export async function catalogueVersionFor(
  context: Context,
  applicationGuid: string,
): Promise<{ version: string; applicationId: number }> {
  permit(context, 'admin:read');
  const [row] = await context.reads.rows<{ version: string; applicationId: number }>(
    `select ${comparableVersion} as version, application_id as "applicationId" from catalogue_version, applications where application_guid = $1`,
    [applicationGuid],
  );
  if (!row) throw notFound('The application');
  return row;
}
