/** What an ID token of each configured identity provider needs to sign a person in, as the service judges it. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ask } from '../../graph';
import { signInNeeds } from '../../operations/generated/person';
import { useMay } from '../../session';
import { Badge } from '../../ui/Badge';
import { Failure } from '../../ui/Failure';
import { useDebounced } from '../../ui/SearchField';
import '../../theme/record.css';

export interface Identity {
  userGuid: string | null;
  idpname: string | null;
  idpid: string | null;
}

export const isGuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

export function useSignInNeeds(identity: Identity) {
  const mayCreate = useMay('admin:write');
  // letters of an id follow each other fast
  const idpid = useDebounced(identity.idpid ?? '');
  const asked = { ...identity, idpid: idpid || null };
  return useQuery({
    queryKey: ['sign-in needs', asked],
    enabled: mayCreate,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => (await ask(signInNeeds, asked, signal)).signInNeeds,
  });
}

export function SignInNeeds({ needs }: { needs: ReturnType<typeof useSignInNeeds> }) {
  const found = needs.data;
  if (needs.error && !found) return <Failure error={needs.error} retry={() => void needs.refetch()} />;
  if (!found) return null;
  const can = found.some(({ sub }) => sub !== null);
  return (
    <section className="card" aria-labelledby="sign-in-needs">
      <header>
        <h2 id="sign-in-needs">Sign-in</h2>
        {!can && <Badge tone="near">nobody can sign in as this person yet</Badge>}
      </header>
      <dl className="facts sign-in-needs" aria-live="polite">
        {found.map(({ issuer, idpname, audiences, sub, text }) => (
          <div key={issuer}>
            <dt>{idpname}</dt>
            <dd>
              {sub === null ? (
                text
              ) : (
                <>
                  An ID token with <br />
                  <code>iss</code> {issuer}
                  <br />
                  <code>sub</code> <b>{sub}</b>
                  <br />
                  <code>aud</code> {audiences.join(' or ')}
                </>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
