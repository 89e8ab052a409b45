/** Which hosts and addresses belong to one's own network, and which to everybody's. */
import { BlockList, isIP, isIPv4 } from 'node:net';

type Family = 'ipv4' | 'ipv6';
const subnets = (family: Family, ...nets: string[]): BlockList => {
  const list = new BlockList();
  for (const net of nets) {
    const [address, prefix] = net.split('/') as [string, string];
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
};

// https://www.iana.org/assignments/iana-ipv4-special-registry
const notPublic4 = subnets(
  'ipv4',
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
);
// https://www.iana.org/assignments/ipv6-address-space: only these are given out, and of them not these
const given6 = subnets('ipv6', '2000::/3');
const notPublic6 = subnets('ipv6', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20');
// the clouds' metadata services live here
const linkLocal = [subnets('ipv4', '169.254.0.0/16'), subnets('ipv6', 'fe80::/10', 'fd00:ec2::254/128')] as const;

/** The address in one spelling: no zone, no brackets, and IPv4 written as IPv4 where IPv6 only carries it. */
function plain(address: string): string {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  if (isIP(bare) !== 6) return bare;
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  // RFC 4291 §2.5.5.2 (mapped), RFC 6052 §2.1 (NAT64)
  const carried = /^(?:::ffff|64:ff9b:):(?:([0-9a-f]{1,4}):)?([0-9a-f]{1,4})$/.exec(canonical);
  if (!carried) return canonical;
  const [high, low] = [carried[1] ?? '0', carried[2]!].map((part) => Number.parseInt(part, 16)) as [number, number];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** An IPv4 address that came in IPv6's clothes as IPv4; any other address as it is. */
export function unmapped(address: string): string {
  if (!/^(::ffff:|64:ff9b:)/i.test(address)) return address;
  const bare = plain(address);
  return isIPv4(bare) ? bare : address;
}

/** Whether packets to the address leave one's own network. */
export function isPublicAddress(address: string): boolean {
  const bare = plain(address);
  if (isIP(bare) === 4) return !notPublic4.check(bare, 'ipv4');
  return isIP(bare) === 6 && given6.check(bare, 'ipv6') && !notPublic6.check(bare, 'ipv6');
}

export function isLinkLocal(address: string): boolean {
  const bare = plain(address);
  return isIP(bare) === 4 ? linkLocal[0].check(bare, 'ipv4') : isIP(bare) === 6 && linkLocal[1].check(bare, 'ipv6');
}

// RFC 6761, RFC 6762, RFC 8375, and the name that ICANN keeps for inside
const localNames = /(^|\.)(localhost|local|internal|home\.arpa|lan|intranet)$/i;

/** Whether a host, as it stands in an address, can only be of one's own network: by its name alone, nobody is asked. */
export function isLocalHost(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(plain(bare)) !== 0) return !isPublicAddress(bare);
  return bare !== '' && (localNames.test(bare) || !bare.includes('.'));
}
