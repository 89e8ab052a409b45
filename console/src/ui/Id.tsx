/** The id of a record, as programs and files name it, and a button that copies it. */
import { CopyText } from './CopyText';

export const Id = ({ text }: { text: string }) => (
  <span className="id">
    <code>{text}</code> <CopyText text={text} label="Copy the id" />
  </span>
);
