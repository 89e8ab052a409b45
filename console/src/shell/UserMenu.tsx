/** Who is here and with which profile; signing out. */
import { useEffect, useRef, useState } from 'react';
import { useViewer } from '../session';
import { Icon } from '../ui/icons';
import { Tile } from '../ui/Tile';
import { fullName } from '../words';

export function UserMenu() {
  const viewer = useViewer().data?.viewer;
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    box.current?.querySelector<HTMLElement>('.menu button')?.focus();
    const close = ({ target }: Event) => {
      if (!(target instanceof Node && box.current?.contains(target))) setOpen(false);
    };
    addEventListener('pointerdown', close);
    return () => removeEventListener('pointerdown', close);
  }, [isOpen]);
  if (!viewer) return null;
  const name = fullName(viewer.user);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the menu wherever the focus is in it
    <div
      className="who"
      ref={box}
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !isOpen) return;
        setOpen(false);
        box.current?.querySelector<HTMLElement>(':scope > button')?.focus();
      }}
    >
      {isOpen && (
        <div className="menu">
          <SignOut />
        </div>
      )}
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Tile name={name} round />
        <span className="two-lines grow">
          <b>{name}</b>
          <small>{viewer.profileId}</small>
        </span>
        <Icon name={isOpen ? 'down' : 'up'} size={16} />
      </button>
    </div>
  );
}

const SignOut = () => (
  <form method="post" action="sign-out">
    <button type="submit">
      <Icon name="out" size={16} />
      Sign out
    </button>
  </form>
);
