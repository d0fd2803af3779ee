import { type DecisionSignals, gateSignals, type SubjectName, type Values } from '../rules/signals.ts';

interface Body {
  [name: string]: unknown;
}

const names = {
  email: gateSignals.email.map(({ gates }) => gates.name.split('.')),
  domain: gateSignals.domain.map(({ gates }) => gates.name.split('.')),
  ip: gateSignals.ip.map(({ gates }) => gates.name.split('.')),
};

/** The signals of one subject on the wire. */
export function subjectBody(subject: SubjectName, values: Values): Body {
  const body: Body = {};
  for (const [place, name] of names[subject].entries()) put(body, name, values[place] ?? null);
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

/** A name with dots goes into objects inside objects. */
function put(body: Body, [first = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) body[first] = value;
  else {
    const inner = (body[first] ?? {}) as Body;
    body[first] = inner;
    put(inner, rest, value);
  }
}
