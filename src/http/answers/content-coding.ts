/** Whether `Accept-Encoding` has a coding with a weight above zero (RFC 9110, section 12.5.3). */
export function accepts(coding: 'br' | 'gzip', accepted: string): boolean {
  return accepted.split(',').some((item) => {
    const [name = '', weight = ''] = item.split(';').map((part) => part.trim().toLowerCase());
    return name === coding && !/^q=0(?:\.0*)?$/.test(weight);
  });
}
