/** Cancels a review that was started by mistake. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { mutate } from '../../graph';
import { cancelReview } from '../../operations/generated/reviews';
import { readAgain } from '../../readAgain';
import { Sheet, SheetActs } from '../../ui/Dialog';
import { Failure } from '../../ui/Failure';
import { say } from '../../ui/Toasts';
import { plural } from '../../words';

interface CancelProps {
  reviewGuid: string;
  name: string;
  decided: number;
  onClose: () => void;
}

export function Cancel({ reviewGuid, name, decided, onClose }: CancelProps) {
  const queries = useQueryClient();
  const cancelling = useMutation({
    mutationFn: () => mutate(cancelReview, { reviewGuid }),
    onSuccess: async () => {
      onClose();
      say({ text: 'The review is cancelled. Nothing was ended.' });
      await readAgain(queries);
    },
  });
  return (
    <Sheet
      title="Cancel the review"
      sub={name}
      isBusy={cancelling.isPending}
      onClose={onClose}
      foot={
        <SheetActs
          onBack={onClose}
          label="Cancel the review"
          act={() => cancelling.mutate()}
          isBusy={cancelling.isPending}
          isDanger
        />
      }
    >
      <p>All grants stay as they are, and nobody can decide any more. A cancelled review is not opened again.</p>
      {decided > 0 && (
        <p>{plural(decided, 'decision stays', 'decisions stay')} in the record as evidence, without effect.</p>
      )}
      {cancelling.error && <Failure error={cancelling.error} />}
    </Sheet>
  );
}
