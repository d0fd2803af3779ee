import { decisionSignalsFrom } from '../app/decision-signals.ts';
import { openEngine, operator } from '../app/engine.ts';
import { AppError } from '../errors.ts';
import type { DecisionRequest, ReadDecisionSignals } from '../gates/decisions/decision.ts';
import { decisionRequestInput } from '../gates/decisions/decision-request.ts';
import { refused } from '../input/input.ts';
import { createProblems } from '../input/problems.ts';
import { createLog } from '../log.ts';
import { whenSettled } from '../platform/when-settled.ts';
import { addressSubject, domainSubject } from '../signals/subject.ts';
import { domainAnswer, emailAnswer } from './answer-of.ts';
import { libraryConfig } from './library-config.ts';
import { createListsLookup } from './lists-lookup.ts';
import { compileRules } from './rules.ts';
import type { AskOptions, DecisionSubject, GateRules, RuleDecision, Signals, SignalsOptions } from './signals.ts';

const slowFacts: ReadonlySet<string> = new Set(['domain_age_in_days', 'domain_authority']);
const nothing: ReadonlySet<string> = new Set();

/** Builds what `openSignals` gives. */
export async function createSignals(options: SignalsOptions): Promise<Signals> {
  const config = libraryConfig(options);
  const { knowledge, lookup, close } = await openEngine(config, createLog({ level: config.logLevel, pretty: false }));
  await knowledge.ip.loaded;
  const { lists, facts, ip } = knowledge;
  const lookUpNow = createListsLookup(lists, facts.rank, Date.now);
  const readSignals = decisionSignalsFrom(lookup, ip.read);
  const readSignalsNow = decisionSignalsFrom(lookUpNow, ip.read);
  const ask = { includeMx: true };
  return {
    async email(address, { wait } = {}) {
      const subject = addressSubject(address);
      return subject && emailAnswer(await lookup(subject, operator, { ...ask, wait: waitFor(wait) }));
    },
    async domain(domain, { wait } = {}) {
      const subject = domainSubject(domain);
      return subject && domainAnswer(await lookup(subject, operator, { ...ask, wait: waitFor(wait) }));
    },
    emailNow(address) {
      const subject = addressSubject(address);
      return subject && emailAnswer(lookUpNow(subject));
    },
    domainNow(domain) {
      const subject = domainSubject(domain);
      return subject && domainAnswer(lookUpNow(subject));
    },
    decide: async (rules, subject, { wait } = {}) => decide(readSignals, rules, subject, wait),
    decideNow: (rules, subject) => decide(readSignalsNow, rules, subject) as RuleDecision,
    close,
  };
}

const waitFor = (wait: AskOptions['wait']): ReadonlySet<string> => (wait === true ? slowFacts : nothing);

/** No promise when what is known is there at once. */
function decide(
  readSignals: ReadDecisionSignals,
  rules: GateRules,
  subject: DecisionSubject,
  wait?: boolean,
): RuleDecision | Promise<RuleDecision> {
  const evaluate = compileRules(rules);
  return whenSettled(readSignals({ ...requestOf(subject), wait: waitFor(wait) }, operator), evaluate);
}

function requestOf(subject: DecisionSubject): DecisionRequest {
  const problems = createProblems();
  const request = decisionRequestInput.read(subject, '', problems);
  if (request === refused) throw new AppError('validation_failed', { errors: problems.toFieldErrors() });
  return request;
}
