import { decisionSignalsFrom } from '../src/app/decision-signals.ts';
import { openEngine, operator } from '../src/app/engine.ts';
import { readConfig } from '../src/config.ts';
import type { Decision } from '../src/gates/decisions/decision.ts';
import { localPartPlace } from '../src/gates/decisions/decision-entry.ts';
import { decisionRequestInput } from '../src/gates/decisions/decision-request.ts';
import { compileGate, type Evaluation } from '../src/gates/rules/evaluate.ts';
import type { Rule } from '../src/gates/rules/rule.ts';
import type { DecisionSignals, Values } from '../src/gates/rules/signals.ts';
import { refused } from '../src/input/input.ts';
import { createProblems } from '../src/input/problems.ts';
import { createLog } from '../src/log.ts';
import { ulid } from '../src/ulid.ts';
import { temporaryDirectory } from '../test/engines.ts';
import { shareSnapshot } from '../test/shared-snapshot.ts';
import { sampleRules } from './rule-sample.ts';

/** A decision and what its gate said. */
export interface MadeDecision {
  readonly decision: Decision;
  readonly evaluation: Evaluation<Rule>;
}

/** Decisions as the service makes them, the n-th about the n-th address: addresses, domains and IP addresses all differ. */
export interface MadeDecisions {
  at(index: number, createdAtMs: number): MadeDecision;
  addressOf(index: number): { readonly localPart: string; readonly domain: string };
}

/** The gate that decides them. */
export const gateId = '01KQD0000000000000000000GT';

/** Reads the signals of one subject for real and makes all others from them. */
export async function makeDecisions(): Promise<MadeDecisions> {
  const rules = sampleRules.map((rule, index) => ({ ...rule, id: `rule-${index}` })) as unknown as Rule[];
  const decide = compileGate({ defaultAction: 'allow', rules });
  const signals = await readSignals();
  const addressOf = (index: number) => ({ localPart: `user-${index}`, domain: `seen-${index % 1_000_003}.com` });
  return {
    addressOf,
    at(index, createdAtMs) {
      const { localPart, domain } = addressOf(index);
      const ip = `${1 + (index % 223)}.${(index >> 8) & 255}.${(index >> 16) & 255}.${index & 255}`;
      const email = `${localPart}@${domain}`;
      const own = ownSignals(signals, email, localPart, domain, ip);
      const evaluation = decide(own);
      const { action, matchedRule } = evaluation;
      return {
        evaluation,
        decision: {
          id: ulid(createdAtMs),
          gateId,
          revision: 1,
          requestId: ulid(createdAtMs),
          version: '1',
          createdAtMs,
          durationMs: 0.1 + (index % 90) / 100,
          input: { email, ip },
          action,
          matchedRule,
          deviceKey: null,
          hookId: null,
          otherRuleIds: [],
          signals: own,
          showsTraffic: false,
        },
      };
    },
  };
}

async function readSignals(): Promise<DecisionSignals> {
  const dataDir = temporaryDirectory();
  shareSnapshot(dataDir);
  const config = readConfig({ DATA_DIR: dataDir, OFFLINE: 'true', LISTS_REFRESH: 'off' });
  const engine = await openEngine(config, createLog({ level: 'silent', isTerminal: false }));
  await engine.knowledge.ip.loaded;
  const read = decisionSignalsFrom(engine.lookup, engine.knowledge.ip.read);
  const request = decisionRequestInput.read({ email: 'user@example.com', ip: '93.184.216.34' }, '', createProblems());
  if (request === refused) throw new Error('the sample is no request');
  const signals = await read(request, operator, null);
  await engine.close();
  return signals;
}

function ownSignals(
  { email, domain, ip }: DecisionSignals,
  address: string,
  localPart: string,
  name: string,
  ipText: string,
): DecisionSignals {
  const withFirst = (values: Values | null, first: string): Values => [first, ...(values ?? []).slice(1)];
  const ofAddress = withFirst(email, address).with(localPartPlace, localPart);
  return { email: ofAddress, domain: withFirst(domain, name), ip: withFirst(ip, ipText) };
}
