/** Who signed in with the identity provider and may not administer: said in the console's frame, and said again after a reload. */
import { useSearch } from '@tanstack/react-router';
import { useViewer } from '../session';
import { Empty } from '../ui/Empty';

export function NoAccess() {
  const { trace } = useSearch({ from: '/no-access' });
  const viewer = useViewer().data?.viewer;
  return (
    <Empty
      isPage
      icon="lock"
      title="No access"
      action={
        <a className="button primary" href="sign-in?again=1">
          Sign in as another user
        </a>
      }
    >
      You signed in, but none of your profiles has administration permissions. An administrator can give you one.
      {viewer?.user && (
        <>
          <br />
          In this browser, {viewer.user.firstName} {viewer.user.lastName} is still signed in to the console.
        </>
      )}
      {trace && /^[0-9a-f]{32}$/.test(trace) && (
        <>
          <br />
          <code>trace {trace}</code>
        </>
      )}
    </Empty>
  );
}
