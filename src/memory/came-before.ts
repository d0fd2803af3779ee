/**
 * Tells whether a text has come before, as far back as some multiple of `texts` different ones. What never comes again is
 * not worth keeping: whoever asks this first keeps only what is asked for twice, and strangers' names that come once
 * neither push out the others nor fill the memory. A hash a text is all that is remembered, so now and then the answer is wrong.
 */
export function cameBefore(texts: number): (text: string) => boolean {
  const hashes = new Int32Array(2 ** Math.ceil(Math.log2(4 * texts)));
  return (text) => {
    const hash = hashOf(text);
    const place = (hash >>> 4) & (hashes.length - 1);
    if (hashes[place] === hash) return true;
    hashes[place] = hash;
    return false;
  };
}

/** FNV-1a, its bits spread so that any of them choose a place. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}
