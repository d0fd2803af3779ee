import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { OutcomeFile } from '../text/outcomes/outcome-file.ts';
import { useClient } from './client.ts';
import { useEnvironment } from './environment.ts';
import { invalidateOutcomes } from './outcomes.ts';
import { request } from './request.ts';

/** The most outcomes of one request. */
const batchSize = 1_000;

type Items = OutcomeFile['items'];

/** The decisions in the log that a file of outcomes matches. */
export interface MatchedOutcomes {
  readonly matched: number;
  readonly decisions: number;
  /** The lines whose address or id is not in the log. */
  readonly unmatchedLines: readonly number[];
}

interface Applied {
  readonly matched: number;
  readonly decisions: number;
  readonly unmatched: readonly number[];
}

async function inBatches(
  items: Items,
  send: (items: Items[number]['item'][]) => Promise<Applied>,
): Promise<MatchedOutcomes> {
  const total = { matched: 0, decisions: 0, unmatchedLines: [] as number[] };
  for (let start = 0; start < items.length; start += batchSize) {
    const batch = items.slice(start, start + batchSize);
    const { matched, decisions, unmatched } = await send(batch.map(({ item }) => item));
    total.matched += matched;
    total.decisions += decisions;
    total.unmatchedLines.push(...unmatched.flatMap((index) => batch[index]?.line ?? []));
  }
  return total;
}

/** Previews the effect of a file of outcomes; changes nothing. */
export function usePreviewOutcomes() {
  const environment = useEnvironment();
  return useMutation({
    mutationFn: (items: Items) =>
      inBatches(
        items,
        async (outcomes) => (await request('previewOutcomes', { path: { environment }, body: { outcomes } })).data,
      ),
  });
}

/** Reports the outcomes of a file. */
export function useReportOutcomes() {
  const { outcomes } = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (items: Items) => inBatches(items, (batch) => outcomes.report(batch)),
    onSuccess: () => invalidateOutcomes(queries),
  });
}
