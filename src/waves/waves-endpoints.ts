import { AppError } from '../errors.ts';
import { dataOf, pageOf } from '../http/answers/wire-fields.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { pageBody, pageParameters } from '../http/page.ts';
import { described, into, nullable, optionalBody } from '../input/input.ts';
import { defaulted, object, optional, partial } from '../input/object.ts';
import { query, word } from '../input/parameter.ts';
import { choice, flag, integer, text } from '../input/scalar.ts';
import { checkSpan, spanOf, spanParameters } from '../input/span.ts';
import { reportedOutcomes, verdicts, type WaveSettings, waveStates } from './wave.ts';
import {
  acceptedBody,
  draftBody,
  readOnlyFields,
  reportBody,
  settingsBody,
  timelineBody,
  waveBody,
  wholeWaveBody,
} from './wave-body.ts';
import type { Drafts } from './wave-draft.ts';
import { waveKinds } from './wave-kind.ts';
import { timelineOf } from './wave-timeline.ts';
import type { Waves } from './waves.ts';
import { readWholeWave } from './whole-wave.ts';

const managed = { family: 'gates', plan: 'pro', credits: 0 } as const;

const settingsInput = into(
  object(
    partial({
      enabled: flag('This field'),
      min_addresses: described(integer('This field', { minimum: 8, maximum: 1_000 }), {
        description: 'The fewest addresses of a wave',
      }),
      factor: described(integer('This field', { minimum: 2, maximum: 50 }), {
        description: 'How many times the usual hourly rate a wave has',
      }),
    }),
  ),
  ({ min_addresses, ...others }): Partial<WaveSettings> => ({
    ...others,
    ...(min_addresses === undefined ? {} : { minAddresses: min_addresses }),
  }),
);

/** `/v1/waves`, `/v1/waves/settings` and `/v1/waves/{wave_id}`. */
export function wavesEndpoints(waves: Waves, drafts: Drafts): Endpoint[] {
  return [
    listEndpoint(waves),
    ...settingsEndpoints(waves),
    ...singleEndpoints(waves, drafts),
    ...ruleEndpoints(waves, drafts),
    ...outcomeEndpoints(waves),
  ];
}

function listEndpoint(waves: Waves): Endpoint {
  return endpoint({
    ...managed,
    method: 'GET',
    path: '/v1/waves',
    operationId: 'listWaves',
    summary: 'Waves of sign-ups that arrived together and share a value, newest first',
    query: query(
      {
        ...pageParameters('waves'),
        state: optional(word(waveStates)),
        kind: optional(word(waveKinds)),
        ...spanParameters,
      },
      { together: checkSpan },
    ),
    response: pageOf(waveBody),
    errors: ['validation_failed'],
    tool: {
      name: 'list_waves',
      access: 'read',
      guide: 'Shows attacks that no list knows yet. Continue with read_wave.',
    },
    async handle({ query: { limit, cursor, from, to, ...filter } }, { caller }) {
      const before = cursor === undefined ? {} : { beforeId: cursor };
      const found = await waves.list(caller, { ...filter, ...spanOf({ from, to }), ...before }, limit + 1);
      return pageBody('waves', found, limit);
    },
  });
}

function settingsEndpoints(waves: Waves): Endpoint[] {
  const shared = { ...managed, path: '/v1/waves/settings', reserved: true } as const;
  return [
    endpoint({
      ...shared,
      method: 'GET',
      operationId: 'readWaveSettings',
      summary: 'How the environment is monitored for waves',
      response: dataOf(settingsBody),
      errors: [],
      handle: (_sent, { caller }) => waves.settings(caller),
    }),
    endpoint({
      ...shared,
      method: 'PATCH',
      operationId: 'changeWaveSettings',
      summary: 'Change how the environment is monitored for waves',
      body: settingsInput,
      response: dataOf(settingsBody),
      errors: ['validation_failed', 'unsupported_media_type'],
      handle: ({ body }, { author }) => waves.changeSettings(author, body),
    }),
  ];
}

function singleEndpoints(waves: Waves, drafts: Drafts): Endpoint[] {
  const shared = { ...managed, path: '/v1/waves/{wave_id}' } as const;
  return [
    endpoint({
      ...shared,
      method: 'GET',
      operationId: 'readWave',
      summary: 'A wave, what its value is, some of its decisions and the rule that would have stopped it',
      response: dataOf(wholeWaveBody),
      errors: ['wave_not_found'],
      tool: {
        name: 'read_wave',
        access: 'read',
        guide:
          'Its `rule` is ready for add_rule; with a `list_entry`, create the list if its id is null and add the entry first. Try it with backtest_rules.',
      },
      handle: ({ params }, { caller }) => readWholeWave(waves, drafts, caller, params.wave_id),
    }),
    endpoint({
      ...managed,
      method: 'GET',
      path: '/v1/waves/{wave_id}/timeline',
      access: 'session',
      operationId: 'readWaveTimeline',
      summary: 'How a wave went, minute by minute',
      response: dataOf(timelineBody),
      errors: ['wave_not_found'],
      async handle({ params }, { caller }) {
        const wave = await waves.read(caller, params.wave_id);
        const members = await waves.members(wave);
        return { ...timelineOf(members, wave.isSlow ? dayMs : hourMs), threshold: wave.threshold };
      },
    }),
    endpoint({
      ...shared,
      method: 'PATCH',
      operationId: 'judgeWave',
      summary: 'Record whether a wave is an attack',
      description: 'After `fine` the same value raises no wave for 30 days.',
      body: object({ verdict: nullable(choice('The verdict', verdicts)) }, { readOnly: readOnlyFields }),
      response: dataOf(waveBody),
      errors: ['validation_failed', 'wave_not_found', 'unsupported_media_type'],
      tool: { name: 'judge_wave', access: 'write', guide: 'Only after a person has confirmed the verdict.' },
      handle: ({ params, body }, { author }) => waves.judge(author, params.wave_id, body.verdict),
    }),
  ];
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const acceptInput = optionalBody(
  object(
    partial({
      gate_id: described(text('The gate'), {
        description: 'By default the gate that let most of the wave in',
      }),
      action: described(choice('The action', ['challenge', 'block'] as const), {
        description: 'By default what the draft does; a draft that challenges does not block',
      }),
    }),
  ),
);

function ruleEndpoints(waves: Waves, drafts: Drafts): Endpoint[] {
  const shared = { ...managed, path: '/v1/waves/{wave_id}/rule' } as const;
  return [
    endpoint({
      ...shared,
      method: 'GET',
      access: 'session',
      operationId: 'readWaveRule',
      summary:
        'The rule that would have stopped a wave, what else it would have matched in 30 days of log, and its gate',
      response: dataOf(draftBody),
      errors: ['wave_not_found'],
      async handle({ params }, { caller }) {
        const wave = await waves.read(caller, params.wave_id);
        const evidence = await waves.evidence(wave);
        return { ...(await drafts.of(wave, evidence)), gateId: evidence.gateId };
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      operationId: 'acceptWaveRule',
      summary: 'Add the rule against a wave to a gate, with its list and entry if it needs them',
      description: 'What is there already is not added again.',
      body: acceptInput,
      response: dataOf(acceptedBody),
      errors: [
        'validation_failed',
        'wave_not_found',
        'gate_not_found',
        'rule_limit_reached',
        'list_limit_reached',
        'list_full',
        'unsupported_media_type',
      ],
      async handle({ params, body }, { author }) {
        const wave = await waves.read(author, params.wave_id);
        const evidence = await waves.evidence(wave);
        const gateId = body.gate_id ?? evidence.gateId;
        if (gateId === null) throw refusedAt('gate_id', 'The log has no decision of this wave: name the gate.');
        const accepted = await drafts.accept(author, wave, evidence, { gateId, action: body.action ?? null });
        if (accepted === 'gate_not_found') throw new AppError('gate_not_found');
        if (accepted === 'block_refused')
          throw refusedAt('action', 'People share this value, or had good outcomes with it: it can be challenged.');
        return accepted;
      },
    }),
  ];
}

const refusedAt = (name: string, problem: string): AppError =>
  new AppError('validation_failed', { errors: { [name]: [problem] } });

function outcomeEndpoints(waves: Waves): Endpoint[] {
  const shared = { ...managed, path: '/v1/waves/{wave_id}/outcome' } as const;
  return [
    endpoint({
      ...shared,
      method: 'PUT',
      operationId: 'reportWaveOutcome',
      load: 'report',
      summary: 'Report what became of all allowed decisions of a wave, and list them',
      description:
        'Without a body they are bad. A decision whose outcome was reported otherwise keeps it. The reason is `wave` with the id of the wave.',
      body: optionalBody(object({ outcome: defaulted(choice('The outcome', reportedOutcomes), 'bad') })),
      response: dataOf(reportBody),
      errors: ['validation_failed', 'wave_not_found', 'unsupported_media_type'],
      handle: ({ params, body }, { caller }) => waves.report(caller, params.wave_id, body.outcome),
    }),
    endpoint({
      ...shared,
      method: 'DELETE',
      operationId: 'removeWaveOutcome',
      load: 'report',
      summary: 'Remove the outcomes that were reported for a wave',
      status: 204,
      errors: ['wave_not_found'],
      handle: ({ params }, { caller }) => waves.undoReport(caller, params.wave_id),
    }),
  ];
}
