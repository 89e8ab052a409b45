/** All keys: `?` opens it. */
import { Link, useRouterState } from '@tanstack/react-router';
import { documentOf } from '../help/documents';
import { useViewer } from '../session';
import { Dialog } from '../ui/Dialog';
import { Icon } from '../ui/icons';
import { menuItems } from './menus';
import { areSingleKeysOn } from './singleKeys';
import '../theme/help.css';

type Key = [keys: string[], does: string];

const everywhere: Key[] = [
  [['Ctrl K'], 'find or do anything'],
  [['/'], 'search of the page'],
  [['Ctrl ↵'], 'review the pending changes; in the review, apply them'],
  [['Ctrl Z'], 'undo the last pending change'],
  [['.'], 'go to the pending changes or to what is done with the selection'],
  [['F6'], 'go to the message at the lower edge, and back to the page'],
  [['Esc'], 'close; select nothing'],
  [['?'], 'this list'],
];
const inLists: Key[] = [
  [['↑', '↓', 'j', 'k'], 'row by row'],
  [['PgUp', 'PgDn', 'Home', 'End'], 'page by page, to the ends'],
  [['↵'], 'open'],
  [['→', '←'], 'open and close the detail of the row, with the columns that have no room'],
  [['x', 'Space'], 'select'],
  [['Shift ↑', 'Shift ↓'], 'extend the selection'],
  [['p'], 'give a profile to the selected people'],
  [['e'], 'save the list as CSV'],
];
const onPages: Readonly<Record<string, { title: string; keys: Key[] }>> = {
  matrix: {
    title: 'Matrix',
    keys: [
      [['Space'], 'set or clear the cell'],
      [['←'], 'from the first column to the name of the row, ↵ opens it'],
    ],
  },
  inbox: {
    title: 'Inbox',
    keys: [
      [['↑', '↓'], 'from proposal to proposal'],
      [['a'], 'approve'],
      [['x'], 'reject'],
      [['Ctrl ↵'], 'confirm the decision'],
    ],
  },
  reviews: {
    title: 'Access review',
    keys: [
      [['k'], 'keep'],
      [['e'], 'end'],
      [['d'], 'end on a date'],
      [['u'], 'undo the decision'],
    ],
  },
};

export default function Help({ onClose }: { onClose: () => void }) {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const permissions = useViewer().data?.viewer.permissions ?? [];
  const goes = menuItems.flatMap(({ label, letter, needs }): Key[] =>
    letter && permissions.includes(needs) ? [[['g', letter], label]] : [],
  );
  const own = onPages[path.split('/')[1] ?? ''];
  const document = documentOf(path);
  return (
    <Dialog className="help" label="Keys" onClose={onClose}>
      <header className="sheet-head">
        <div className="grow">
          <h2>Keys</h2>
          <p className="sub">
            {areSingleKeysOn() ? 'Single letters can be turned off' : 'Single letters are turned off: turn them on'} in
            the menu of your name.
          </p>
        </div>
        {document && (
          <Link className="button small" to="/help/$name" params={{ name: document }} onClick={onClose}>
            About this page
          </Link>
        )}
        <button type="button" className="ghost" aria-label="Close" onClick={onClose}>
          <Icon name="x" />
        </button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys */}
      <div className="help-keys" tabIndex={0} role="group" aria-label="All keys">
        {own && <Keys {...own} />}
        <Keys title="Everywhere" keys={everywhere} />
        <Keys title="Lists" keys={inLists} />
        <Keys title="Go to" keys={goes} />
      </div>
    </Dialog>
  );
}

const Keys = ({ title, keys }: { title: string; keys: Key[] }) => (
  <section aria-label={title}>
    <h3>{title}</h3>
    <dl>
      {keys.map(([names, does]) => (
        <div key={does}>
          <dt>
            {names.map((name) => (
              <kbd key={name}>{name}</kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  </section>
);
