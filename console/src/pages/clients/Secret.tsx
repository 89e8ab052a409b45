/** A client's secret, shown once: nobody can read it again, so neither Back nor a reload takes it away unasked. */
import { useBlocker } from '@tanstack/react-router';
import { copyRefused, useCopied } from '../../ui/CopyText';
import { Icon } from '../../ui/icons';
import '../../theme/secret.css';

export function Secret({ clientId, secret }: { clientId: string; secret: string }) {
  const [isCopied, copy] = useCopied(secret);
  useBlocker({ shouldBlockFn: ({ action }) => action !== 'PUSH' });
  return (
    <>
      <p className="notice near" role="alert">
        <Icon name="alert" size={16} />
        <span>
          This is the secret of {clientId}. Keep it now: it is shown this one time, and nobody can read it again.
        </span>
      </p>
      <div className="secret">
        <code>{secret}</code>
        <button type="button" className="button small" onClick={() => void copy()}>
          <Icon name={isCopied ? 'check' : 'copy'} size={14} />
          {isCopied ? 'Copied' : 'Copy'}
        </button>
      </div>
      {isCopied === false && <p role="alert">{copyRefused}</p>}
    </>
  );
}
