/** A record that is being made: pending from its first letter, and there when it was reviewed. */
import { type ReactNode, useState } from 'react';
import { type Draft, readDrafts, type Subject } from '../drafts';
import type { Named } from '../mappingDraft';
import type { ChangeInput } from '../operations/generated/graph';
import { subjectIcons } from '../review/SubjectHeading';
import { useMay, useViewer } from '../session';
import { Forbidden } from '../ui/Failure';
import { IconTile } from '../ui/Tile';
import type { FormField, Values } from './formField';
import { Crumbs, type CrumbsProps, RecordHead } from './Page';
import { type Form, SettingsCard } from './SettingsCard';

interface NewRecordProps {
  kind: Subject['kind'];
  to: CrumbsProps['to'];
  /** The name of the list that will contain the record. */
  label: string;
  title: string;
  sub: ReactNode;
  fields: readonly FormField[];
  /** What it begins with. */
  beginnings?: Values;
  /** The member of ChangeInput that makes it. */
  member: keyof ChangeInput;
  /** Where the page itself needs it, from `useNewGuid`. */
  guid?: string;
  /** @param guid of the new record */
  change: (guid: string, input: Values) => ChangeInput;
  /** What else is drafted with it, around its form. */
  frame?: (record: Named, form: Form) => ReactNode;
}

const none: Values = {};

export function NewRecord(props: NewRecordProps) {
  const { kind, to, label, title, sub, fields, beginnings = none, member, change, frame } = props;
  const mayChange = useMay('admin:write');
  const isKnown = useViewer().data !== undefined;
  const made = useNewGuid(member);
  const { guid = made } = props;
  if (isKnown && !mayChange) return <Forbidden isPage permission="admin:write" />;
  return (
    <div className="page">
      <Crumbs to={to} label={label} name="New" />
      <RecordHead tile={<IconTile icon={subjectIcons[kind]} size="large" />} name={title} sub={sub} />
      <SettingsCard
        subject={{ kind, id: guid, name: title }}
        fields={fields}
        present={beginnings}
        isNew
        change={(input) => change(guid, input)}
        frame={frame && ((form) => frame({ guid, name: form.name }, form))}
      />
    </div>
  );
}

/** The guid of a new record: that of its draft, if it has one. */
export function useNewGuid(member: keyof ChangeInput): string {
  const isOfMember = ({ change }: Draft): boolean => member in change;
  const [guid] = useState(() => readDrafts().find(isOfMember)?.subject.id ?? crypto.randomUUID());
  return guid;
}
