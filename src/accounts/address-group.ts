/** What counts as one client: an IPv4 address, or a /64 of IPv6, which is what one person usually has. */
export function addressGroup(ip: string): string {
  if (!ip.includes(':')) return ip;
  return `${expandedGroups(ip).slice(0, 4).join(':')}::/64`;
}

function expandedGroups(ip: string): string[] {
  const [head = '', tail] = ip.split('::');
  const front = head === '' ? [] : head.split(':');
  if (tail === undefined) return front;
  const back = tail === '' ? [] : tail.split(':');
  return [...front, ...Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0'), ...back];
}
