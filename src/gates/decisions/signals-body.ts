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
