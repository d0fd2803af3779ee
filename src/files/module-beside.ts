import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The path of a module in the folder of another, to run it in a separate process: `.ts` in a checkout, `.js` in the package. */
export function moduleBeside(moduleUrl: string, name: string): string {
  return fileURLToPath(new URL(`./${name}${extname(moduleUrl)}`, moduleUrl));
}
