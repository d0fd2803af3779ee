import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage } from '../../error-message.ts';
import type { Shared } from '../../feature.ts';
import { writeFileAtomic } from '../../files/atomic-file.ts';
import type { RefreshProgress, SharedProgress } from '../list-refresh.ts';

/** The progress of a refresh in a file beside the lists, which all processes with these lists can read. */
export function refreshProgressFile({ config, log, now }: Shared): SharedProgress {
  const file = join(config.dataDir, 'lists', 'refresh', 'progress.json');
  return {
    read() {
      if (!existsSync(file)) return null;
      try {
        return JSON.parse(readFileSync(file, 'utf8'));
      } catch (error) {
        // Without the file only the progress is lost.
        log.warn(
          { reason: errorMessage(error) },
          'lists: could not read the progress of a refresh; the console shows none',
        );
        return null;
      }
    },
    save(progress: RefreshProgress) {
      try {
        writeFileAtomic(file, `${JSON.stringify({ progress, savedAtMs: now() })}\n`);
      } catch (error) {
        log.warn(
          { reason: errorMessage(error) },
          'lists: could not write the progress of a refresh; other processes show an old one',
        );
      }
    },
  };
}
