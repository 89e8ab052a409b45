/** Find or do anything: applications, people, scopes, profiles, pages and acts, from anywhere, by a few letters. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useViewer } from '../session';
import { Dialog } from '../ui/Dialog';
import { useEnter } from '../ui/enter';
import { Icon } from '../ui/icons';
import { useDebounced } from '../ui/SearchField';
import { IconTile, Tile } from '../ui/Tile';
import { refuse } from '../ui/Toasts';
import { findPages, type Hit } from './hits';

export function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  /** What is to be chosen after what was chosen. */
  const [next, setNext] = useState<Hit[]>();
  const wanted = useDebounced(text.trim(), 120);
  const navigate = useNavigate();
  const permissions = useViewer().data?.viewer.permissions ?? [];
  const found = useQuery({
    queryKey: ['find', wanted],
    enabled: wanted !== '',
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => (await import('./findRecords')).findRecords(wanted, permissions, signal),
  });
  const records = wanted === '' ? [] : (found.data ?? []);
  const hits = next ?? [...records, ...findPages(text.trim(), permissions)];
  const act = async ({ act, to }: Hit) => {
    const chosen = (await act?.()) ?? [];
    if (chosen.length > 0) {
      setNext(chosen);
      setAt(0);
      return;
    }
    onClose();
    if (to !== undefined) void navigate({ to: to as '/applications' });
  };
  const go = (hit: Hit | undefined) => void (hit && act(hit).catch((error: Error) => refuse(error.message)));
  const isFound = next !== undefined || (wanted === text.trim() && !found.isFetching);
  const enter = useEnter(isFound, () => go(hits[at]));
  useEffect(() => {
    // newer browsers answer a promise, which is no clean-up
    void document.getElementById(`hit-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const keys = (event: KeyboardEvent) => {
    // this Enter ends the writing of a word, such as a Japanese one
    if (event.nativeEvent.isComposing) return;
    const acts: Record<string, () => void> = {
      ArrowDown: () => setAt(Math.min(at + 1, hits.length - 1)),
      ArrowUp: () => setAt(Math.max(at - 1, 0)),
      Enter: () => enter(true),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  return (
    <Dialog className="palette" label="Find anything" onClose={onClose}>
      <div className="palette-box">
        <Icon name="search" />
        <input
          autoFocus
          role="combobox"
          aria-expanded={hits.length > 0}
          aria-controls="palette-list"
          aria-activedescendant={hits[at] ? `hit-${at}` : undefined}
          aria-label="Find anything"
          placeholder="Find or do anything, such as “why anna asset”"
          maxLength={200}
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setNext(undefined);
            setAt(0);
            enter(false);
          }}
          onKeyDown={keys}
        />
        <kbd>Esc</kbd>
      </div>
      <Hits hits={hits} at={at} onAt={setAt} onGo={go} nothing={nothingWords(wanted, found)} />
      <div className="hints">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> choose
        </span>
        <span>
          <kbd>↵</kbd> open
        </span>
        <span className="hide-small">
          <kbd>G</kbd> then a letter goes to a page
        </span>
      </div>
    </Dialog>
  );
}

function nothingWords(wanted: string, { isFetching, error }: { isFetching: boolean; error: Error | null }): string {
  if (error) return error.message;
  return isFetching ? 'Searching…' : `Nothing has “${wanted}” in its name.`;
}

interface HitsProps {
  hits: readonly Hit[];
  at: number;
  onAt: (index: number) => void;
  onGo: (hit: Hit) => void;
  nothing: string;
}

function Hits({ hits, at, onAt, onGo, nothing }: HitsProps) {
  return (
    <div id="palette-list" className="hits" role="listbox" aria-label="Found">
      {[...Map.groupBy(hits, ({ group }) => group)].map(([group, own]) => (
        <div key={group} role="group" aria-label={group}>
          <p className="group" aria-hidden="true">
            {group}
          </p>
          {own.map((hit) => {
            const index = hits.indexOf(hit);
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the text field has the keys
              <div
                key={hit.id}
                id={`hit-${index}`}
                className="option"
                role="option"
                aria-selected={index === at}
                onMouseMove={() => onAt(index)}
                onClick={() => onGo(hit)}
              >
                {hit.icon ? <IconTile icon={hit.icon} /> : <Tile name={hit.label} round={hit.round ?? false} />}
                <span>{hit.label}</span>
                <small>{hit.hint}</small>
              </div>
            );
          })}
        </div>
      ))}
      {hits.length === 0 && (
        <div className="option none" role="option" aria-selected={false} aria-disabled="true">
          <span />
          <span>{nothing}</span>
        </div>
      )}
    </div>
  );
}
