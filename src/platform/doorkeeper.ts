/**
 * A doorkeeper (as in TinyLFU): true for a text that was seen before, as far back as a few times `texts` distinct ones. A cache
 * that admits only repeated keys is neither flooded nor filled by names that strangers send once. It keeps one hash per
 * slot, so an answer is occasionally wrong.
 */
export function createDoorkeeper(texts: number): (text: string) => boolean {
  const hashes = new Int32Array(2 ** Math.ceil(Math.log2(4 * texts)));
  return (text) => {
    const hash = hashOf(text);
    const slot = (hash >>> 4) & (hashes.length - 1);
    if (hashes[slot] === hash) return true;
    hashes[slot] = hash;
    return false;
  };
}

/** FNV-1a with a finaliser, so that any of its bits can select a slot. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}
