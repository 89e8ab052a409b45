/** That a file in git manages a record, and what becomes of changes that are made here. */
import { Icon } from './icons';

/** In a row and beside a name; nothing for a record that no file manages. */
export const ManagedBy = ({ name }: { name: string | null }) =>
  name && (
    <span className="badge managed" title={`A file in git manages it: ${name}`}>
      <Icon name="branch" size={12} />
      <span className="only-heard">managed by </span>
      <span className="cell-text">{name}</span>
    </span>
  );

export const revertedBy = (name: string): string =>
  `“${name}” manages this in git: its next apply reverts what differs from the file. Change it there too.`;

/** Over a form. */
export const ManagedNotice = ({ name }: { name: string }) => (
  <p className="notice near">
    <Icon name="branch" size={16} />
    <span>{revertedBy(name)}</span>
  </p>
);
