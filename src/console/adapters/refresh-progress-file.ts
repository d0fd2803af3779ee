import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Shared } from '../../app/feature.ts';
import { errorMessage } from '../../error-message.ts';
import { writeFileAtomic } from '../../files/atomic-file.ts';
import type { RefreshProgress, SharedProgress } from '../list-refresh.ts';

/** The progress of a refresh in a file beside the lists: all processes that have these lists have it, too. */
export function refreshProgressFile({ config, log, now }: Shared): SharedProgress {
  const file = join(config.dataDir, 'lists', 'refresh', 'progress.json');
  return {
    read() {
      if (!existsSync(file)) return null;
      try {
        return JSON.parse(readFileSync(file, 'utf8'));
      } catch (error) {
        // It only tells how far something is: without it nothing but that is lost.
        log.warn({ reason: errorMessage(error) }, 'lists: the progress of a refresh could not be read');
        return null;
      }
    },
    save(progress: RefreshProgress) {
      try {
        writeFileAtomic(file, `${JSON.stringify({ progress, savedAtMs: now() })}\n`);
      } catch (error) {
        log.warn({ reason: errorMessage(error) }, 'lists: the progress of a refresh could not be written');
      }
    },
  };
}
