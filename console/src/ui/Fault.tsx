/** What is wrong with a field, under it. */
export const Fault = ({ id, text }: { id: string; text: string | undefined }) =>
  text && (
    <span className="hint fault" id={id}>
      {text}
    </span>
  );
