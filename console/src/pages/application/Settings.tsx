/** An application's own fields. */
import type { UpdateApplicationInput } from '../../operations/generated/graph';
import type { FormField } from '../../record/formField';
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
  { name: 'name', label: 'Name', width: 4, isRequired: true, hint: 'What people see where there is no translation.' },
  {
    name: 'appType',
    label: 'Type',
    width: 2,
    suggest: 'APP_TYPE',
    isRequired: true,
    hint: 'Such as web, mobile or report.',
  },
  { name: 'description', label: 'Description', kind: 'area', hint: 'What it is for.' },
  {
    name: 'globalExternalLink',
    label: 'Link',
    width: 4,
    hint: 'Used if the access scope has no link of its own.',
    check: linkFault,
  },
  {
    name: 'linkType',
    label: 'Kind of link',
    width: 2,
    suggest: 'LINK_TYPE',
    isRequired: true,
    hint: 'How its link is opened.',
  },
  {
    name: 'renderingMode',
    label: 'Rendering',
    width: 2,
    suggest: 'RENDERING_MODE',
    isRequired: true,
    hint: 'How a portal shows it.',
  },
  { name: 'iconDefault', label: 'Icon', width: 2, isIcon: true, isRequired: true },
  { name: 'iconHover', label: 'Icon under the pointer', width: 2, isIcon: true, isRequired: true },
  {
    name: 'translationGroup',
    label: 'Group of translations',
    width: 3,
    hint: 'Records with the same group share their translations.',
  },
  {
    name: 'ownerProfileId',
    label: 'Owner',
    width: 3,
    hint: 'Id of the profile whose holders may approve changes of its mappings.',
  },
  { name: 'isIframe', label: 'In an iframe', width: 2, kind: 'switch' },
  { name: 'isTokenExchangeRequired', label: 'Needs a token exchange', width: 2, kind: 'switch' },
  {
    name: 'isRequestable',
    label: 'May be requested',
    width: 2,
    kind: 'switch',
    hint: 'Whether people may request access to it.',
  },
];

const fields: readonly FormField[] = [
  ...applicationFields,
  { name: 'isActive', label: 'In use', width: 2, kind: 'switch', hint: 'While it is out of use, nobody can open it.' },
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
