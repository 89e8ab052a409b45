/** Saves the evidence of a review: the file that `gatehouse review export` writes. */
import { useMutation } from '@tanstack/react-query';
import { Refusal, unreachable } from '../../graph';
import { Sheet } from '../../ui/Dialog';
import { Failure } from '../../ui/Failure';
import { say } from '../../ui/Toasts';

const formats = { csv: 'CSV', json: 'JSON' } as const;
type Format = keyof typeof formats;

interface EvidenceProps {
  reviewGuid: string;
  name: string;
  isOpen: boolean;
  onClose: () => void;
}

export function Evidence({ reviewGuid, name, isOpen, onClose }: EvidenceProps) {
  const saving = useMutation({
    mutationFn: async (format: Format) => {
      const file = await readFile(`reviews/${reviewGuid}/evidence.${format}`);
      const { saveFile } = await import('../../ui/saveCsv');
      saveFile(`review ${name}`, format, file);
    },
    onSuccess: (_, format) => {
      onClose();
      say({ text: `Saved the evidence as ${formats[format]}.` });
    },
  });
  return (
    <Sheet
      title="Save evidence"
      sub={name}
      isBusy={saving.isPending}
      onClose={onClose}
      foot={(['csv', 'json'] as const).map((format) => (
        <button
          key={format}
          type="button"
          className="button primary"
          disabled={saving.isPending}
          onClick={() => saving.mutate(format)}
        >
          Save as {formats[format]}
        </button>
      ))}
    >
      <p>
        A row for each grant: what was granted to whom, by whom and when, its last use, who decided what and when, what
        was done, and by which change set.
      </p>
      {isOpen && <p className="notice near">The review is open: save it again after it is finished.</p>}
      {saving.isPending && <p role="status">Saving…</p>}
      {saving.error && <Failure error={saving.error} />}
    </Sheet>
  );
}

const codes: Record<number, string> = { 401: 'UNAUTHENTICATED', 403: 'FORBIDDEN', 404: 'NOT_FOUND' };

/** Reads a file that the service makes for the console's pages. Throws Refusal. */
async function readFile(path: string): Promise<Blob> {
  let response: Response;
  try {
    response = await fetch(new URL(path, document.baseURI), {
      credentials: 'same-origin',
      headers: { 'x-gatehouse-console': '1' },
    });
    if (response.ok) return await response.blob();
  } catch {
    throw unreachable();
  }
  const { title = `Gatehouse answered ${response.status}.`, detail = title } = (await response
    .json()
    .catch(() => ({}))) as Record<string, string>;
  throw new Refusal(codes[response.status] ?? 'INTERNAL', detail);
}
