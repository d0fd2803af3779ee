// What a load needs, worked out from measured costs: node bench/plan.ts [lookups a day] [decisions a day]
// The plan of docs/scaling.md is its output for a billion lookups and 100 million decisions.

/** Processor time of one request as it was measured in process, on a machine that others kept busy. */
const cost = {
  warmLookupUs: 35,
  /** The first sight of a domain, without the network. */
  coldLookupUs: 152,
  decisionUs: 98,
};

/** What is assumed of the traffic, and can be argued with. */
const traffic = {
  /** The goal of the log: 102 were measured on SQLite, more on PostgreSQL until it has vacuumed. */
  bytesPerDecision: 150,
  bytesPerFact: 400,
  /** One question to Redis for one request; not measured. */
  sharedLimitUs: 40,
  /** The busiest hour against the average of the day. */
  peak: 2.5,
  /** Of the lookups, those of a domain that the process does not have in memory. */
  coldShare: 0.1,
  logDays: 30,
  /** Domains that are known at a time. */
  facts: 20_000_000,
  /** How busy a core may be at the peak. */
  utilisation: 0.6,
};

const secondsADay = 86_400;
const [lookupsADay = 1e9, decisionsADay = 1e8] = process.argv.slice(2).map(Number);

const lookupUs = (1 - traffic.coldShare) * cost.warmLookupUs + traffic.coldShare * cost.coldLookupUs;
const peakLookups = (lookupsADay * traffic.peak) / secondsADay;
const peakDecisions = (decisionsADay * traffic.peak) / secondsADay;
const busyCores =
  (peakLookups * (lookupUs + traffic.sharedLimitUs) + peakDecisions * (cost.decisionUs + traffic.sharedLimitUs)) / 1e6;

const gigabytes = (bytes: number): string => `${Math.round(bytes / 1e9).toLocaleString('en')} GB`;
const rows: readonly (readonly [string, string])[] = [
  ['lookups a second at the peak', Math.round(peakLookups).toLocaleString('en')],
  ['decisions a second at the peak', Math.round(peakDecisions).toLocaleString('en')],
  ['cores busy at the peak', busyCores.toFixed(1)],
  ['cores to have', String(Math.ceil(busyCores / traffic.utilisation))],
  [`decision log of ${traffic.logDays} days`, gigabytes(decisionsADay * traffic.logDays * traffic.bytesPerDecision)],
  ['log written a second at the peak', `${((peakDecisions * traffic.bytesPerDecision) / 1e6).toFixed(1)} MB`],
  ['facts', gigabytes(traffic.facts * traffic.bytesPerFact)],
  [
    'questions to DNS a second at the peak, at most',
    Math.round(3 * peakLookups * traffic.coldShare).toLocaleString('en'),
  ],
];
process.stdout.write(`${rows.map(([what, much]) => `${what.padEnd(48)} ${much}`).join('\n')}\n`);
