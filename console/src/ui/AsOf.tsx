/** What is read again and again does not look fresh while that fails: it says of when it is. */
import type { UseQueryResult } from '@tanstack/react-query';
import { Icon } from './icons';

const timeOf = (ms: number): string => new Date(ms).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });

export const AsOf = ({ query: { data, error, dataUpdatedAt } }: { query: UseQueryResult<unknown> }) =>
  error && data !== undefined ? (
    <p className="notice near" role="status">
      <Icon name="alert" size={16} />
      As of {timeOf(dataUpdatedAt)}: what is so now could not be read.
    </p>
  ) : null;
