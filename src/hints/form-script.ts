import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '../http/operation-routes.ts';

/** While the console is not built, the script does nothing, and forms work without hints. */
const notBuilt = '// The script is not built. In a checkout, run node scripts/setup.mjs.\n';

/** `GET /form.js`, which the console's build writes from the client package into `folder`. */
export function formScript(folder: string): Page {
  const file = join(folder, 'form.js');
  let built: string | null = null;
  return {
    path: '/form.js',
    type: 'text/javascript; charset=utf-8',
    // Pages of any origin load it, also isolated ones (Cross-Origin-Embedder-Policy) and with `integrity`.
    headers: () => ({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': built === null ? 'no-store' : 'public, max-age=3600',
    }),
    text() {
      if (built === null && existsSync(file)) built = readFileSync(file, 'utf8');
      return built ?? notBuilt;
    },
  };
}
