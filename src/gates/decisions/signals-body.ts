import type { SignalValue } from '../../signals/value-schema.ts';
import { type DecisionSignals, gateSignals, type SubjectName, type Values } from '../rules/signals.ts';

/** The signals of a subject on the wire: a dot in a name makes an object. */
export interface Body {
  [name: string]: unknown;
}

/** A name with dots: the objects on the way, and the name inside the last. */
const paths = (subject: SubjectName) =>
  gateSignals[subject].map(({ gates }) => {
    const parts = gates.name.split('.');
    return { way: parts.slice(0, -1), last: parts.at(-1) ?? '' };
  });

const named = { email: paths('email'), domain: paths('domain'), ip: paths('ip') };

/** The signals of one subject on the wire. */
export function subjectBody(subject: SubjectName, values: Values): Body {
  const body: Body = {};
  let place = 0;
  for (const { way, last } of named[subject]) {
    let inner = body;
    for (const part of way) {
      inner[part] ??= {};
      inner = inner[part] as Body;
    }
    inner[last] = values[place] ?? null;
    place += 1;
  }
  return body;
}

/** Everything a gate decided from, on the wire. */
export function signalsBody({ email, domain, ip }: DecisionSignals) {
  return {
    email: email === null ? null : subjectBody('email', email),
    domain: subjectBody('domain', domain),
    ip: ip === null ? null : subjectBody('ip', ip),
  };
}

/** A value of a subject, and the JSON text that stands before it. */
interface Step {
  readonly before: string;
  readonly place: number;
}

type Writer = (values: Values) => string;

/** The names of one level: each has a value in its place, or names below it. */
type Level = Map<string, number | Level>;

/**
 * The signals of one subject on the wire, as JSON text: all but the values is prepared. An object made for `JSON.stringify`
 * takes more than twice the time.
 */
export const subjectText: Readonly<Record<SubjectName, Writer>> = {
  email: writerOf('email'),
  domain: writerOf('domain'),
  ip: writerOf('ip'),
};

function writerOf(subject: SubjectName): Writer {
  const root: Level = new Map();
  for (const [place, { gates }] of gateSignals[subject].entries()) {
    const names = gates.name.split('.');
    const last = names.pop() ?? '';
    levelOf(root, names).set(last, place);
  }
  const steps: Step[] = [];
  const end = addSteps(root, '', steps);
  return (values) => {
    let text = '';
    for (const { before, place } of steps) text += before + valueText(values[place] ?? null);
    return text + end;
  };
}

function levelOf(root: Level, names: readonly string[]): Level {
  let level = root;
  for (const name of names) {
    const known = level.get(name);
    const inner: Level = known instanceof Map ? known : new Map();
    level.set(name, inner);
    level = inner;
  }
  return level;
}

/** Adds the steps of a level; returns the text that stands after the last of them. */
function addSteps(level: Level, before: string, steps: Step[]): string {
  let text = `${before}{`;
  for (const [name, below] of level) {
    text += `${JSON.stringify(name)}:`;
    if (below instanceof Map) text = addSteps(below, text, steps);
    else {
      steps.push({ before: text, place: below });
      text = '';
    }
    text += ',';
  }
  return `${text.slice(0, -1)}}`;
}

/** As `JSON.stringify`, which takes several times as long for values that need no quotes. */
function valueText(value: SignalValue | null): string {
  return value === null || typeof value === 'boolean' || typeof value === 'number' ? `${value}` : JSON.stringify(value);
}
