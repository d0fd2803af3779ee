import type { Logger } from 'pino';
import { decisionSignalsFrom } from '../app/decision-signals.ts';
import { openEngine, operator } from '../app/engine.ts';
import { AppError } from '../errors.ts';
import type { DecisionRequest } from '../gates/decisions/decision.ts';
import { decisionRequestInput } from '../gates/decisions/decision-request.ts';
import type { DecisionSignals } from '../gates/rules/signals.ts';
import { refused } from '../input/input.ts';
import { createProblems } from '../input/problems.ts';
import { createLog } from '../log.ts';
import { addressSubject, domainSubject } from '../signals/subject.ts';
import { domainAnswer, emailAnswer } from './answer-of.ts';
import { libraryConfig } from './library-config.ts';
import { createListsLookup } from './lists-lookup.ts';
import { compileRules } from './rules.ts';
import type { AskOptions, DecisionSubject, Signals, SignalsOptions } from './signals.ts';

const slowFacts: ReadonlySet<string> = new Set(['domain_age_in_days', 'domain_authority']);
const nothing: ReadonlySet<string> = new Set();

/** Creates the result of `openSignals`. */
export async function createSignals(options: SignalsOptions, commandLog?: Logger): Promise<Signals> {
  const config = libraryConfig(options);
  const log = commandLog ?? createLog({ level: config.logLevel, isTerminal: false });
  const { knowledge, lookup, close } = await openEngine(config, log);
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
    async decide(rules, subject, { wait } = {}) {
      const evaluate = compileRules(rules);
      return evaluate(await readSignals({ ...requestOf(subject), wait: waitFor(wait) }, operator, null));
    },
    decideNow(rules, subject) {
      const evaluate = compileRules(rules);
      // Read from lists in memory, so it is never a promise.
      return evaluate(readSignalsNow({ ...requestOf(subject), wait: nothing }, operator, null) as DecisionSignals);
    },
    close,
  };
}

const waitFor = (wait: AskOptions['wait']): ReadonlySet<string> => (wait === true ? slowFacts : nothing);

function requestOf(subject: DecisionSubject): DecisionRequest {
  const problems = createProblems();
  const request = decisionRequestInput.read(subject, '', problems);
  if (request === refused) throw new AppError('validation_failed', { errors: problems.toFieldErrors() });
  return request;
}
