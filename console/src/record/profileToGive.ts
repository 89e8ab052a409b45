/** What is said of a profile that is given: what it opens, and the role in which it was given last. */
import { useQuery } from '@tanstack/react-query';
import { ask } from '../graph';
import { profileToGive } from '../operations/generated/giving';

export const useProfileToGive = (profileId: string | undefined) =>
  useQuery({
    queryKey: ['profile to give', profileId],
    enabled: profileId !== undefined,
    queryFn: ({ signal }) => ask(profileToGive, { profileId: profileId!, held: profileId! }, signal),
  });
