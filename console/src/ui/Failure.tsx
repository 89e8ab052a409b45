/** An error as a sentence, what to do, and the trace id by which the log has it. */
import { useEffect, useRef, useState } from 'react';
import { whenBack } from '../comeback';
import { Refusal } from '../graph';
import { signIn, signInAgain } from '../session';
import { Empty, NotFound } from './Empty';

const titles: Record<string, string> = {
  UNAVAILABLE: 'Gatehouse can’t be reached',
  UNAUTHENTICATED: 'You are signed out',
  TOO_MANY_REQUESTS: 'Too much at once',
  REAUTHENTICATE: 'Please sign in again',
  PERSISTED_QUERY_NOT_FOUND: 'There is a new version of Gatehouse',
};

/** An answer that did come says why it is none: it is not the way to it that fails. */
function titleOf({ code, message }: Refusal): string {
  const isAnswered = code === 'UNAVAILABLE' && !message.startsWith('Gatehouse');
  if (isAnswered) return /took more than/.test(message) ? 'This takes too long' : 'Not available at the moment';
  return titles[code] ?? 'That did not work';
}

/** What to do, where trying again is of no use. */
const acts: Record<string, [act: () => unknown, label: string]> = {
  UNAUTHENTICATED: [signIn, 'Sign in'],
  REAUTHENTICATE: [signInAgain, 'Sign in'],
  PERSISTED_QUERY_NOT_FOUND: [() => location.reload(), 'Load again'],
};

/** Most reasons that are said of one failure. */
const problemsMax = 10;

interface FailureProps {
  error: unknown;
  retry?: () => unknown;
  /** Whether it is all that the page has. */
  isPage?: boolean;
}

export function Failure({ error, retry, isPage = false }: FailureProps) {
  const refusal = error instanceof Refusal ? error : asRefusal(error);
  const { code, message, problems, traceId } = refusal;
  const isAway = code === 'UNAVAILABLE';
  const latest = useRef(retry);
  latest.current = retry;
  const [isBack, setBack] = useState<unknown>();
  useEffect(() => {
    if (!isAway) return;
    // what only a person does again, such as a deletion, is left to that person
    const stop = whenBack(() => {
      if (latest.current) return latest.current();
      stop();
      setBack(error);
    });
    return stop;
  }, [isAway, error]);
  // an address that no page can have, such as that of a record by what is no guid
  if (code === 'NOT_FOUND' || (isPage && code === 'BAD_USER_INPUT')) return <NotFound />;
  if (code === 'FORBIDDEN') {
    const [permission] = /admin:[a-z]+/.exec(message) ?? [];
    return <Forbidden permission={permission} message={message} isPage={isPage} />;
  }
  if (isBack !== undefined && isBack === error)
    return (
      <p className="note" role="status">
        Gatehouse can be reached again. What you did was not answered: look whether it is done, or do it again.
      </p>
    );
  const title = titleOf(refusal);
  const [act, label] = acts[code] ?? [retry, 'Try again'];
  return (
    <div role="alert">
      <Empty
        isPage={isPage}
        icon={code === 'UNAUTHENTICATED' || code === 'REAUTHENTICATE' ? 'lock' : 'alert'}
        title={title}
        action={
          act && (
            <button type="button" className="button" onClick={() => act()}>
              {label}
            </button>
          )
        }
      >
        {/* what the title says is not said again */}
        {message.startsWith(`${title}. `) ? message.slice(title.length + 2) : message}
        {[...new Set(Object.values(problems).flat())].slice(0, problemsMax).map((problem) => (
          <span key={problem}>
            <br />
            {problem}
          </span>
        ))}
        {traceId && (
          <>
            <br />
            <code>trace {traceId}</code>
          </>
        )}
      </Empty>
    </div>
  );
}

interface ForbiddenProps {
  permission: string | undefined;
  /** What is said where no permission is known. */
  message?: string;
  isPage?: boolean;
}

export const Forbidden = ({ permission, message, isPage = false }: ForbiddenProps) => (
  <Empty isPage={isPage} icon="lock" title="Your profile does not allow this">
    {permission
      ? `It needs the permission ${permission}, which the profile that you chose at sign-in does not have.`
      : message}
  </Empty>
);

/** A fault of the console's own, such as a page that a newer build has replaced. */
function asRefusal(error: unknown): Refusal {
  const message = error instanceof Error ? error.message : String(error);
  if (/dynamically imported module|module script/i.test(message))
    return new Refusal('INTERNAL', 'There is a new version of the console. Load the page again.');
  return new Refusal('INTERNAL', `The console failed: ${message}`);
}
