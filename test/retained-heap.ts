import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes on the heap that are still needed. */
function neededBytes(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

/** Bytes that some work leaves behind on the heap. What it makes must be used afterwards, or it is not needed any more. */
export async function retainedHeapBytes(work: () => unknown): Promise<number> {
  const before = neededBytes();
  await work();
  return neededBytes() - before;
}
