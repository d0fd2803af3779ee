import { errorMessage } from '../error-message.ts';
import { buildNetworks } from './networks-build.ts';

// The whole process: the path of a file in, the file out.
process.once('message', (path: string) => {
  try {
    buildNetworks(path);
    process.exit(0);
  } catch (error) {
    process.send?.(errorMessage(error), () => process.exit(1));
  }
});
process.once('disconnect', () => process.exit(1));
