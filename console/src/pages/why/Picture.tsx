/** The ways as a picture: four ordered lists; the wires between them are decoration. */
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Icon, type IconName } from '../../ui/icons';
import { IconTile, Tile } from '../../ui/Tile';
import type { Person, Target, Way } from './answer';
import { graphOf, type Node, type Wire } from './nodes';

interface PictureProps {
  ways: readonly Way[];
  user: Person;
  application: Target;
}

const lanes = ['Person', 'Profiles', 'Access scopes', 'Application'] as const;
/** Profiles that are held come before others; of access scopes those that nearly lead on. */
const order = [
  { open: 0, near: 1, closed: 2 },
  { open: 0, closed: 1, near: 2 },
  { open: 0, near: 1, closed: 2 },
  { open: 0, near: 1, closed: 2 },
] as const;

export function Picture({ ways, user, application }: PictureProps) {
  const { nodes, wires } = useMemo(() => graphOf(ways, user, application), [ways, user, application]);
  return (
    <div className="picture" role="group" aria-label="The ways from the person to the application">
      <Wires wires={wires} />
      {lanes.map((title, lane) => (
        <div key={title} className="lane">
          <h3>{title}</h3>
          <ol>
            {nodes
              .filter((node) => node.lane === lane)
              .sort((one, other) => order[one.lane][one.state] - order[other.lane][other.state])
              .map((node) => (
                <NodeItem key={node.id} node={node} />
              ))}
            {lane > 0 && lane < 3 && ways.length === 0 && <Missing lane={lane} />}
          </ol>
        </div>
      ))}
    </div>
  );
}

const ends: Record<Node['state'], [icon: IconName, words: string]> = {
  open: ['check', 'holds'],
  near: ['alert', 'a way ends here'],
  closed: ['x', 'on no open way'],
};

function NodeItem({ node: { id, lane, title, note, state } }: { node: Node }) {
  const [icon, words] = ends[state];
  return (
    <li className={`node ${state}`} data-node={id}>
      {lane === 0 || lane === 3 ? (
        <Tile name={title} round={lane === 0} />
      ) : (
        <IconTile icon={lane === 1 ? 'profile' : 'scope'} />
      )}
      <span className="two-lines">
        <b>{title}</b>
        <small>{note}</small>
      </span>
      <span className="end" role="img" aria-label={words}>
        <Icon name={icon} size={14} />
      </span>
    </li>
  );
}

const Missing = ({ lane }: { lane: number }) => (
  <li className="node more">
    <IconTile icon="dots" />
    <span className="two-lines">
      <b>{lane === 1 ? 'No profile' : 'No access scope'}</b>
      <small>leads to it</small>
    </span>
  </li>
);

interface Line {
  path: string;
  isOpen: boolean;
}

function Wires({ wires }: { wires: readonly Wire[] }) {
  const svg = useRef<SVGSVGElement>(null);
  const [lines, setLines] = useState<Line[]>([]);
  useLayoutEffect(() => {
    const host = svg.current?.parentElement;
    if (!host) return;
    const draw = () => setLines(linesOf(host, wires));
    draw();
    const observer = new ResizeObserver(draw);
    observer.observe(host);
    return () => observer.disconnect();
  }, [wires]);
  return (
    <svg ref={svg} className="wires" aria-hidden="true">
      {lines.map(({ path, isOpen }) => (
        <path key={path} d={path} className={isOpen ? 'open' : undefined} />
      ))}
    </svg>
  );
}

/** Open wires last, so that they lie over the others. */
function linesOf(host: HTMLElement, wires: readonly Wire[]): Line[] {
  const origin = host.getBoundingClientRect();
  const placeOf = (id: string) => host.querySelector(`[data-node="${CSS.escape(id)}"]`)?.getBoundingClientRect();
  const lines = wires.flatMap(({ from, to, isOpen }) => {
    const [start, end] = [placeOf(from), placeOf(to)];
    if (!start || !end) return [];
    const [x1, y1] = [start.right - origin.left, start.top + start.height / 2 - origin.top];
    const [x2, y2] = [end.left - origin.left, end.top + end.height / 2 - origin.top];
    const bend = (x2 - x1) / 2;
    return [{ path: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`, isOpen }];
  });
  return lines.sort((one, other) => Number(one.isOpen) - Number(other.isOpen));
}
