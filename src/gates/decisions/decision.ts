import type { IpAddress } from '../../address/ip.ts';
import { AppError } from '../../errors.ts';
import type { Call, Caller } from '../../http/endpoint.ts';
import { nextStage, stage } from '../../http/timing/stage-times.ts';
import type { Subject } from '../../signals/subject.ts';
import { ulid } from '../../ulid.ts';
import type { CompiledGate } from '../gate-cache.ts';
import type { Action } from '../rules/action.ts';
import type { Evaluation } from '../rules/evaluate.ts';
import type { Rule } from '../rules/rule.ts';
import type { DecisionSignals } from '../rules/signals.ts';
import type { AddressKeys } from './address-key.ts';

/** The input, as it was sent. */
export interface DecisionInput {
  readonly email?: string;
  readonly domain?: string;
  readonly ip?: string;
}

/** A valid request for a decision. */
export interface DecisionRequest {
  readonly input: DecisionInput;
  readonly subject: Subject;
  readonly ip: IpAddress | null;
  /** The client's identifier of the visitor's device. */
  readonly device: string | null;
  /** Hold the answer for these slow facts. */
  readonly wait: ReadonlySet<string>;
  /** Decide with the known facts after this time, regardless of `wait`; undefined for no such limit. */
  readonly withinMs?: number;
}

const decisionCredits = 1;
/** Charged in addition when an `ip` is sent and not null. */
const ipCredits = 2;

/** The credits that a decision costs. */
export const creditsOf = ({ ip }: Pick<DecisionRequest, 'ip'>): number =>
  ip === null ? decisionCredits : decisionCredits + ipCredits;

/** The shown fields of the deciding rule. */
export interface DecidingRule {
  readonly id: string;
  readonly name: string;
  readonly message: string | null;
}

/** The version of the contract, as the response names it. */
export type DecisionVersion = '1' | '0.1';

/** A gate's decision, and its inputs. */
export interface Decision {
  readonly id: string;
  readonly gateId: string;
  /** The gate's revision. */
  readonly revision: number;
  readonly requestId: string;
  readonly version: DecisionVersion;
  readonly createdAtMs: number;
  readonly durationMs: number;
  readonly input: DecisionInput;
  /** The key of the visitor's device; null if none was sent. */
  readonly deviceKey: string | null;
  /** The hook that asked; null for a client with a key. */
  readonly hookId: string | null;
  readonly action: Action;
  /** Null when no rule matched and the default action applied. */
  readonly matchedRule: DecidingRule | null;
  /** The matching rules besides the one that decided, shadow rules included. */
  readonly otherRuleIds: readonly string[];
  readonly signals: DecisionSignals;
  /** A rule of the gate uses traffic, so the response shows it. */
  readonly showsTraffic: boolean;
}

/** The signals of a subject, for one caller. Rejects when they cannot be determined. */
export type ReadDecisionSignals = (
  request: DecisionRequest,
  caller: Caller,
  deviceKey: string | null,
) => DecisionSignals | Promise<DecisionSignals>;

/** The caller, and the contract. */
export interface DecisionContext extends Pick<Call, 'caller' | 'requestId' | 'stages'> {
  readonly version: DecisionVersion;
  readonly hookId?: string;
  /** Whether the client has its response already; the decision must have no effect then. */
  readonly isLate?: () => boolean;
}

/** Makes a gate's decision. */
export type Decide = (
  gate: CompiledGate,
  request: DecisionRequest,
  context: DecisionContext,
) => Decision | Promise<Decision>;

/** The dependencies of decisions. */
export interface DecideParts {
  readonly readSignals: ReadDecisionSignals;
  readonly keys: Pick<AddressKeys, 'deviceKeyOf'>;
  readonly record: (decision: Decision, evaluation: Evaluation<Rule>, caller: Caller) => void;
  readonly now: () => number;
  readonly monotonicMs: () => number;
}

export function createDecide({ readSignals, keys, record, now, monotonicMs }: DecideParts): Decide {
  return (gate, request, { caller, requestId, stages, version, hookId = null, isLate }) => {
    const startedMs = monotonicMs();
    const deviceKey = request.device === null ? null : keys.deviceKeyOf(caller, request.device);
    const finish = (signals: DecisionSignals): Decision => {
      if (isLate?.()) throw new AppError('service_unavailable');
      const evaluation = gate.decide(signals);
      const createdAtMs = now();
      const decision: Decision = {
        id: ulid(createdAtMs),
        gateId: gate.id,
        revision: gate.revision,
        requestId,
        version,
        createdAtMs,
        durationMs: Math.round((monotonicMs() - startedMs) * 100) / 100,
        input: request.input,
        deviceKey,
        hookId,
        action: evaluation.action,
        matchedRule: evaluation.matchedRule,
        otherRuleIds: otherRuleIds(evaluation),
        signals,
        showsTraffic: gate.showsTraffic,
      };
      record(decision, evaluation, caller);
      return decision;
    };
    const asked = gate.wait.size === 0 ? request : { ...request, wait: request.wait.union(gate.wait) };
    stages.enter(stage.facts);
    return nextStage(stages, stage.decide, readSignals(asked, caller, deviceKey), finish);
  };
}

const noRules: readonly string[] = Object.freeze([]);

function otherRuleIds({ matchedRule, matched, shadowMatched }: Evaluation<Rule>): readonly string[] {
  if (matched.length < 2 && shadowMatched.length === 0) return noRules;
  return [...matched, ...shadowMatched].filter((rule) => rule !== matchedRule).map(({ id }) => id);
}
