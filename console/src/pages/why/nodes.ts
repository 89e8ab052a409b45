/** The picture's nodes and wires: person → profiles → access scopes → application. */
import { fullName } from '../../words';
import { type Person, partsOf, type Target, type Way } from './answer';

export interface Node {
  id: string;
  lane: 0 | 1 | 2 | 3;
  title: string;
  note: string;
  state: 'open' | 'near' | 'closed';
}

export interface Wire {
  from: string;
  to: string;
  isOpen: boolean;
}

interface Graph {
  nodes: Node[];
  wires: Wire[];
}

/** Ways that share a record share its node; it is open when one of them is. */
export function graphOf(ways: readonly Way[], user: Person, application: Target): Graph {
  const nodes = new Map<string, Node>();
  const wires = new Map<string, Wire>();
  const isOpen = ways.some((way) => way.isOpen);
  const put = (node: Node) => {
    const present = nodes.get(node.id);
    if (!present || (present.state !== 'open' && node.state === 'open')) nodes.set(node.id, node);
  };
  const join = (from: string, to: string, open: boolean) => {
    const key = `${from} ${to}`;
    wires.set(key, { from, to, isOpen: open || wires.get(key)?.isOpen === true });
  };
  nodes.set('user', {
    id: 'user',
    lane: 0,
    title: fullName(user),
    note: user.isBlocked ? 'is blocked' : (user.email ?? user.jobTitle ?? ''),
    state: user.isBlocked ? 'near' : 'open',
  });
  nodes.set('application', {
    id: 'application',
    lane: 3,
    title: application.name,
    note: application.isActive ? 'in use' : 'out of use',
    state: isOpen ? 'open' : application.isActive ? 'closed' : 'near',
  });
  for (const way of ways) {
    const { profile, scope, faults } = partsOf(way);
    if (!profile || !scope) continue;
    const profileId = `profile ${profile.profileId}`;
    const scopeId = `scope ${scope.guid}`;
    put({
      id: profileId,
      lane: 1,
      title: profile.name,
      note: faults.profile[0] ?? (profile.role ? `as ${profile.role}` : 'held'),
      state: way.isOpen ? 'open' : faults.profile.length > 0 ? 'near' : 'closed',
    });
    put({
      id: scopeId,
      lane: 2,
      title: scope.name,
      note: faults.scope.join(', ') || 'opens it',
      state: way.isOpen ? 'open' : faults.scope.length > 0 ? 'near' : 'closed',
    });
    join('user', profileId, way.isOpen);
    join(profileId, scopeId, way.isOpen);
    join(scopeId, 'application', way.isOpen);
  }
  return { nodes: [...nodes.values()], wires: [...wires.values()] };
}
