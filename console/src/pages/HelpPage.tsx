/** The documentation of a page. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { readDocument } from '../help/documents';
import { Markdown } from '../help/Markdown';
import { Loading, NotFound } from '../ui/Empty';
import { Failure } from '../ui/Failure';
import '../theme/help.css';

export function HelpPage() {
  const { name } = useParams({ from: '/help/$name' });
  const read = useQuery({
    queryKey: ['document', name],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => (await readDocument(name)) ?? null,
  });
  if (read.isPending) return <Loading lines={6} />;
  if (read.error) return <Failure isPage error={read.error} retry={() => void read.refetch()} />;
  if (read.data === null) return <NotFound />;
  return (
    <div className="page">
      <Markdown text={read.data} />
    </div>
  );
}
