import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes of reachable objects on the heap. */
function reachableBytes(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

/** Bytes that work retains on the heap. The caller must use its result afterwards, or the result is collected too. */
export async function retainedHeapBytes(work: () => unknown): Promise<number> {
  const before = reachableBytes();
  await work();
  return reachableBytes() - before;
}
