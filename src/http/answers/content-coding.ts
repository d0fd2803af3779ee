/** Whether a client takes a coding (RFC 9110, section 12.5.3): it names it, and not with a weight of zero. */
export function takes(coding: 'br' | 'gzip', accepted: string): boolean {
  return accepted.split(',').some((item) => {
    const [name = '', weight = ''] = item.split(';').map((part) => part.trim().toLowerCase());
    return name === coding && !/^q=0(?:\.0*)?$/.test(weight);
  });
}
