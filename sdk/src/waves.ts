import { type ApiPromise, data } from './api-promise.ts';
import type { BodyOf, Call, DataOf, QueryOf } from './call.ts';
import { type CursorPage, cursorPages, type Pages } from './pages.ts';
import type { CallOptions } from './settings.ts';

/** Sign-ups that arrived together and share a value. */
export interface Wave extends DataOf<'judgeWave'> {}
/** A wave with some of its decisions and the rule that would have stopped it. */
export interface WaveWithSamples extends DataOf<'readWave'> {}
/** The result of accepting the rule against a wave. */
export interface AcceptedWaveRule extends DataOf<'acceptWaveRule'> {}
/** The allowed decisions of a wave after a report. */
export interface WaveReport extends DataOf<'reportWaveOutcome'> {}
/** How the environment is monitored for waves. */
export interface WaveSettings extends DataOf<'readWaveSettings'> {}
/** Changes to the settings. */
export interface WaveSettingsChanges extends BodyOf<'changeWaveSettings'> {}

/** The calls of waves: one line an endpoint. */
export const waveCalls = (call: Call) => ({
  /** Waves, newest first: a page when awaited, all in `for await`. */
  list: (query: QueryOf<'listWaves'> = {}, options?: CallOptions): Pages<CursorPage<Wave>> =>
    cursorPages((page: typeof query) => call('listWaves', { query: page }, options), query),
  /** One wave. */
  get: (wave_id: string, options?: CallOptions): ApiPromise<WaveWithSamples> =>
    data(call('readWave', { path: { wave_id } }, options)),
  /** Records a verdict; after `fine` the same value raises no wave for 30 days. */
  judge: (wave_id: string, verdict: Wave['verdict'], options?: CallOptions): ApiPromise<Wave> =>
    data(call('judgeWave', { path: { wave_id }, body: { verdict } }, options)),
  /** Adds the rule against a wave to a gate, with its list and entry if it needs them. */
  acceptRule: (
    wave_id: string,
    choice: BodyOf<'acceptWaveRule'> = {},
    options?: CallOptions,
  ): ApiPromise<AcceptedWaveRule> => data(call('acceptWaveRule', { path: { wave_id }, body: choice }, options)),
  /** Reports an outcome for all allowed decisions of a wave, and lists them; `undo` removes these outcomes. */
  outcome: {
    report: (wave_id: string, outcome: 'good' | 'bad', options?: CallOptions): ApiPromise<WaveReport> =>
      data(call('reportWaveOutcome', { path: { wave_id }, body: { outcome } }, options)),
    undo: (wave_id: string, options?: CallOptions): ApiPromise<void> =>
      call('removeWaveOutcome', { path: { wave_id } }, options),
  },
  /** How the environment is monitored. */
  settings: {
    get: (options?: CallOptions): ApiPromise<WaveSettings> => data(call('readWaveSettings', {}, options)),
    /** Changes only the given properties. */
    update: (changes: WaveSettingsChanges, options?: CallOptions): ApiPromise<WaveSettings> =>
      data(call('changeWaveSettings', { body: changes }, options)),
  },
});
