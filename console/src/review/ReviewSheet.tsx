/** The review, when one is asked for. Its code is loaded with the first draft, so that it opens without a network, too. */
import { useQuery } from '@tanstack/react-query';
import { useDrafts } from '../drafts';
import { unreachable } from '../graph';
import { ofReview } from '../readAgain';
import { Sheet } from '../ui/Dialog';
import { Loading } from '../ui/Empty';
import { Failure } from '../ui/Failure';
import { review, useReviewing } from './reviewing';

const close = (): void => review(undefined);

export function ReviewSheet() {
  const reviewing = useReviewing();
  const hasDrafts = useDrafts().length > 0;
  const code = useQuery({
    queryKey: [ofReview, 'code'],
    enabled: hasDrafts || reviewing !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    retry: false,
    queryFn: () => import('./Review'),
  });
  if (!reviewing) return null;
  if (code.data) return <code.data.Review reviewing={reviewing} />;
  return (
    <Sheet
      title="Review"
      onClose={close}
      foot={
        <button type="button" className="button" onClick={close}>
          Back
        </button>
      }
    >
      {code.error ? (
        <Failure error={navigator.onLine ? code.error : unreachable()} retry={() => void code.refetch()} />
      ) : (
        <Loading lines={4} />
      )}
    </Sheet>
  );
}
