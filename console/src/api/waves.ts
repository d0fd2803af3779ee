import type { Wave, WaveSettings, WaveSettingsChanges } from '@signalpost/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient } from './client.ts';
import { useEnvironment } from './environment.ts';
import { invalidateOutcomes } from './outcomes.ts';
import { type AnswerOf, request } from './request.ts';
import { every } from './session-state.ts';

export type { Wave, WaveSettings, WaveWithSamples } from '@signalpost/client';

const shownWaves = 100;

/** The newest waves of the environment. */
export function useWaves(filter: { readonly from?: string } = {}) {
  const { waves } = useClient();
  return useQuery({
    queryKey: ['waves', useEnvironment(), filter],
    queryFn: async ({ signal }) => (await waves.list({ ...filter, limit: shownWaves }, { signal })).data,
    refetchInterval: every(30_000),
  });
}

/** One wave with samples and the rule that would have stopped it. */
export function useWave(id: string, enabled = true) {
  const { waves } = useClient();
  return useQuery({
    queryKey: ['waves', useEnvironment(), id],
    queryFn: ({ signal }) => waves.get(id, { signal }),
    enabled,
    refetchInterval: every(10_000),
  });
}

/** How many decisions of the wave, and how many others of 30 days, its rule would have matched. */
export function useWaveRule(id: string) {
  const environment = useEnvironment();
  return useQuery({
    queryKey: ['waves', environment, id, 'rule'],
    queryFn: async ({ signal }) =>
      (await request('readWaveRule', { path: { environment, wave_id: id } }, { signal })).data,
    staleTime: 60_000,
  });
}

/** How a wave went, minute by minute. */
export type WaveTimeline = AnswerOf<'readWaveTimeline'>['data'];

export function useWaveTimeline(id: string) {
  const environment = useEnvironment();
  return useQuery({
    queryKey: ['waves', environment, id, 'timeline'],
    queryFn: async ({ signal }) =>
      (await request('readWaveTimeline', { path: { environment, wave_id: id } }, { signal })).data,
    refetchInterval: every(10_000),
  });
}

/** Adds the rule against a wave to a gate, with its list and entry. */
export function useAcceptRule(id: string) {
  const { waves } = useClient();
  const changed = useRulesChanged();
  return useMutation({
    mutationFn: (choice: { readonly gate_id: string; readonly action: 'challenge' | 'block' }) =>
      waves.acceptRule(id, choice),
    onSuccess: changed,
  });
}

/** Removes a rule that was added for a wave. */
export function useRemoveRule() {
  const { gates } = useClient();
  const changed = useRulesChanged();
  return useMutation({
    mutationFn: async ({ gateId, ruleId }: { readonly gateId: string; readonly ruleId: string }) => {
      await gates.rules.delete(gateId, ruleId);
    },
    onSuccess: changed,
  });
}

function useRulesChanged() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries();
}

/** How the environment is monitored. */
export function useWaveSettings() {
  const { waves } = useClient();
  return useQuery({
    queryKey: ['waves', useEnvironment(), 'settings'],
    queryFn: ({ signal }) => waves.settings.get({ signal }),
  });
}

function useWaveChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queries = useQueryClient();
  const queryKey = ['waves', useEnvironment()];
  return useMutation({ mutationFn: change, onSuccess: () => queries.invalidateQueries({ queryKey }) });
}

/** Records whether a wave is an attack. */
export function useJudgeWave(id: string) {
  const { waves } = useClient();
  return useWaveChange((verdict: Wave['verdict']) => waves.judge(id, verdict));
}

/** Reports all allowed decisions of a wave as bad, and lists them. */
export function useReportWave(id: string) {
  const { waves } = useClient();
  return useWaveOutcome(() => waves.outcome.report(id, 'bad'));
}

/** Removes the outcomes that were reported for a wave. */
export function useUndoReport(id: string) {
  const { waves } = useClient();
  return useWaveOutcome(async () => {
    await waves.outcome.undo(id);
  });
}

function useWaveOutcome<Output>(change: () => Promise<Output>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: change, onSuccess: () => invalidateOutcomes(queries) });
}

/** Changes how the environment is monitored. */
export function useChangeWaveSettings() {
  const { waves } = useClient();
  return useWaveChange((changes: WaveSettingsChanges): Promise<WaveSettings> => waves.settings.update(changes));
}
