// The resources for a load, computed from measured costs: node bench/plan.ts [lookups per day] [decisions per day]
// The plan of docs/scaling.md is its output for a billion lookups and 100 million decisions.

/** CPU time of one request, measured in process on a busy machine. */
const cost = {
  warmLookupUs: 35,
  /** The first lookup of a domain, without the network. */
  coldLookupUs: 152,
  decisionUs: 98,
};

/** Assumptions about the traffic. */
const traffic = {
  /** The goal of the log: 102 were measured on SQLite, more on PostgreSQL before a vacuum. */
  bytesPerDecision: 150,
  bytesPerFact: 400,
  /** One Redis request per API request; not measured. */
  sharedLimitUs: 40,
  /** The busiest hour relative to the daily average. */
  peak: 2.5,
  /** The share of lookups of a domain that is not in memory. */
  coldShare: 0.1,
  logDays: 30,
  /** Domains with stored facts. */
  facts: 20_000_000,
  /** The maximum utilisation of a core at the peak. */
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
