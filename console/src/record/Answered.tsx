/** A page that shows one answer: a skeleton until it is there, a sentence when it can't be had. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loading } from '../ui/Empty';
import { Failure } from '../ui/Failure';

interface AnsweredProps<Answer> {
  query: UseQueryResult<Answer>;
  children: (answer: Answer) => ReactNode;
}

export function Answered<Answer>({ query, children }: AnsweredProps<Answer>) {
  // what was read stays, whatever became of reading it again
  if (query.data !== undefined) return children(query.data);
  return (
    <div className="page">
      {query.error ? <Failure isPage error={query.error} retry={() => void query.refetch()} /> : <Loading />}
    </div>
  );
}
