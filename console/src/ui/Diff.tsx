/** Before → after, field by field; of what was not there before only what is. */
import { Fragment } from 'react';
import { fieldWords, valueWords } from '../words';
import '../theme/diff.css';

export interface Difference {
  field: string;
  before?: unknown;
  after?: unknown;
  isPreset?: boolean;
}

const isThere = (value: unknown): boolean => value !== null && value !== undefined && value !== '';

export const Diff = ({ changes }: { changes: readonly Difference[] }) => (
  <dl className="diff">
    {changes.map(({ field, before, after, isPreset }) => (
      <Fragment key={field}>
        <dt>{fieldWords(field)}</dt>
        <dd>
          {isThere(before) && (
            <>
              <del>
                <span className="only-heard">before: </span>
                {valueWords(before)}
              </del>{' '}
              <span aria-hidden="true">→</span>{' '}
            </>
          )}
          <ins>
            <span className="only-heard">after: </span>
            {valueWords(after)}
          </ins>
          {isPreset && <span className="mute"> (preset)</span>}
        </dd>
      </Fragment>
    ))}
  </dl>
);
