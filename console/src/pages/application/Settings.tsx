/** An application's own fields. */
import type { UpdateApplicationInput } from '../../operations/generated/graph';
import { type FormField, profileIsThere } from '../../record/formField';
import { SettingsCard } from '../../record/SettingsCard';
import type { ApplicationRecord } from '../records';

const appSchemes = /^(mailto:|tel:|sms:|[a-z][a-z0-9+.-]{1,30}:\/\/)/i;
const refusedSchemes = /^(http|javascript|data|vbscript|file|blob|about|view-source|ftp):/i;

/** A portal would run it, or could not open it. */
const linkFault = (link: string): string | undefined =>
  link === '' ||
  /^(https:\/\/|\.{0,2}\/|[\w.~-]+(\/|$))/i.test(link) ||
  (appSchemes.test(link) && !refusedSchemes.test(link))
    ? undefined
    : 'A link begins with https://, is a path, or opens an app, such as msteams://.';

export const applicationFields: readonly FormField[] = [
  { name: 'name', width: 4, isRequired: true, hint: 'What people see where there is no translation.' },
  {
    name: 'appType',
    width: 2,
    suggest: 'APP_TYPE',
    isRequired: true,
  },
  { name: 'description', kind: 'area', hint: 'What it is for.' },
  {
    name: 'globalExternalLink',
    width: 4,
    hint: 'Used if the access scope has no link of its own.',
    check: linkFault,
  },
  {
    name: 'linkType',
    width: 2,
    suggest: 'LINK_TYPE',
    isRequired: true,
    hint: 'How its link is opened.',
  },
  {
    name: 'renderingMode',
    width: 2,
    suggest: 'RENDERING_MODE',
    isRequired: true,
    hint: 'How a portal shows it.',
  },
  { name: 'iconDefault', width: 2, isIcon: true, isRequired: true },
  { name: 'iconHover', width: 2, isIcon: true, isRequired: true },
  {
    name: 'translationGroup',
    width: 3,
    hint: 'Records with the same group share their translations.',
  },
  {
    name: 'ownerProfileId',
    width: 3,
    hint: 'Id of the profile whose holders may approve changes of its mappings.',
    lookUp: profileIsThere,
  },
  { name: 'isIframe', width: 2, kind: 'switch' },
  { name: 'isTokenExchangeRequired', width: 2, kind: 'switch' },
  {
    name: 'isRequestable',
    width: 2,
    kind: 'switch',
    hint: 'Whether people may request access to it.',
  },
];

const fields: readonly FormField[] = [
  ...applicationFields,
  { name: 'isActive', width: 2, kind: 'switch', hint: 'While it is out of use, nobody can open it.' },
];

export function Settings({ application }: { application: ApplicationRecord }) {
  const { applicationGuid, revision, name } = application;
  return (
    <SettingsCard
      subject={{ kind: 'application', id: applicationGuid, name }}
      fields={fields}
      present={application}
      change={(input) => ({
        updateApplication: { applicationGuid, ifRevision: revision, input: input as UpdateApplicationInput },
      })}
    />
  );
}
