/** Who is signed in, and what that person may do here. */
import { useQuery } from '@tanstack/react-query';
import { keepTimeZone } from './grantEnd';
import { ask, Refusal } from './graph';
import { forgetKept, readKept, writeKept } from './kept';
import { keepOpeningStates } from './openingStates';
import { me, waiting } from './operations/generated/session';

export type Permission = 'admin:read' | 'admin:write' | 'admin:security';

export function useViewer() {
  return useQuery({
    queryKey: ['viewer'],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const answer = await ask(me, {}, signal);
      own(answer.viewer.userGuid);
      keepOpeningStates(answer.viewer.mappingActiveStates);
      keepTimeZone(answer.viewer.timeZone);
      return answer;
    },
  });
}

/** What waits for the viewer: it is counted, and asked by itself, so that its failure leaves who is here and what they may do. */
export function useWaiting() {
  return useQuery({
    queryKey: ['waiting'],
    enabled: useViewer().data !== undefined,
    staleTime: 60_000,
    queryFn: async ({ signal }) => (await ask(waiting, {}, signal)).viewer.waiting,
  }).data;
}

const kept = 'owner';

/** What is kept in this tab is of one person: somebody else begins without it. */
function own(userGuid: string): void {
  const owner = readKept(kept, userGuid);
  if (owner !== userGuid) forgetKept();
  writeKept(kept, userGuid);
}

/** Whether the viewer may; false until it is known. */
export function useMay(permission: Permission): boolean {
  const permissions = useViewer().data?.viewer.permissions ?? [];
  return permissions.includes(permission);
}

const signingInKept = 'signing in';
const signingInMs = 15_000;

/** Leaves for sign-in by itself, but not again and again: false when that was just tried. */
export function signInOnce(): boolean {
  if (Date.now() - readKept(signingInKept, 0) < signingInMs) return false;
  writeKept(signingInKept, Date.now());
  signIn();
  return true;
}

/** Own pages only: the address inside the console to come back to. */
const here = (): string => location.pathname + location.search;

/** Leaves for sign-in and comes back to the same address; drafts stay in this tab. */
export function signIn(): void {
  location.assign(new URL(`sign-in?return=${encodeURIComponent(here())}`, document.baseURI));
}

/** Proves who is there again, for a dangerous act, and comes back to the same address. */
export function signInAgain(): void {
  location.assign(new URL(`sign-in?again=1&return=${encodeURIComponent(here())}`, document.baseURI));
}

/** Switches to another profile of the person and reads again what is shown. Throws Refusal. */
export async function chooseProfile(profileId: string): Promise<void> {
  const response = await fetch(new URL('profile', document.baseURI), {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json', 'x-gatehouse-console': '1' },
    body: JSON.stringify({ profileId }),
  });
  if (!response.ok) throw new Refusal('FORBIDDEN', 'This profile cannot be chosen any more.');
  location.reload();
}
