import type { Download } from '../../api/lists.ts';
import { Pill } from '../../ui/pill.tsx';

/** Whether a download is as fresh as it should be. */
export function DownloadState({ download: { enabled, late, problem, fetched_at } }: { download: Download }) {
  if (!enabled) return <Pill tone="plain">off</Pill>;
  if (late === null) return <Pill tone="unknown">no automatic refresh</Pill>;
  if (fetched_at === null && !problem) return <Pill tone="unknown">not fetched yet</Pill>;
  if (late) return <Pill tone="challenge">late</Pill>;
  return problem ? <Pill tone="challenge">problem</Pill> : <Pill tone="allow">on time</Pill>;
}
