import { JsonText } from '../http/endpoint.ts';
import { detachedCopy } from '../platform/detached-copy.ts';
import { memoiseByObject } from '../platform/memoise-by-object.ts';
import { explainSignals, type Readings } from '../signals/engine.ts';
import type { SignalValue } from '../signals/value-schema.ts';
import type { LookupOptions, LookupResult } from './lookup.ts';
import { addressFields, changedFields, domainFields, type LookupField, sharedFields } from './lookup-fields.ts';

export interface BodyOptions extends LookupOptions {
  readonly pro: boolean;
  readonly explain: boolean;
}

/** The body of `GET /domain/{domain}`. */
export function domainText(result: LookupResult, options: BodyOptions): JsonText {
  return options.explain
    ? new JsonText(`${ofDomain(result, options)}${explanation(result)}}`)
    : domainTexts(result, options);
}

const domainTexts = oncePerVariant((result, options) => new JsonText(`${ofDomain(result, options)}}`));

const ofDomain = (result: LookupResult, options: BodyOptions): string =>
  `{"status":200,"domain":"${result.subject.domain.ascii}"${fieldsText(domainFields, result, options)}`;

/** The body of `GET /email/{email}`: the address's own fields around the fields of its domain. */
export function emailText(result: LookupResult, options: BodyOptions): JsonText {
  const explain = options.explain ? explanation(result) : '';
  return new JsonText(
    `{"status":200,"email":${JSON.stringify(result.subject.address?.submitted)}${fieldsText(addressFields, result, options)}` +
      `${sharedTexts(result, options)}${fieldsText(changedFields, result, options)}${explain}}`,
  );
}

const explanation = ({ subject, sources }: LookupResult): string =>
  `,"explain":${JSON.stringify(explainSignals(subject, sources))}`;

/** One flat string: V8 would flatten a concatenated one for every response, which takes 2 of its 25 µs. */
const sharedTexts = oncePerVariant((result, options) =>
  detachedCopy(`,"domain":"${result.subject.domain.ascii}"${fieldsText(sharedFields, result, options)}`),
);

/** Texts made from the readings of a domain and three switches are kept as long as the readings. */
function oncePerVariant<T>(
  make: (result: LookupResult, options: BodyOptions) => T,
): (result: LookupResult, options: BodyOptions) => T {
  const variantsOf = memoiseByObject((_readings: Readings): T[] => []);
  return (result, options) => {
    const variants = variantsOf(result.readings);
    const variant = (options.pro ? 1 : 0) + (options.includeMx ? 2 : 0) + (result.blocklisted === true ? 4 : 0);
    variants[variant] ??= make(result, options);
    return variants[variant];
  };
}

/** The fields that the plan and the request allow, a comma before each. */
function fieldsText(fields: readonly LookupField[], result: LookupResult, options: BodyOptions): string {
  let text = '';
  for (const field of fields) {
    if ((field.pro && !options.pro) || (field.needsMx && !options.includeMx)) continue;
    const reading = field.read(result);
    text += field.nameText + (reading.known ? valueText(reading.value) : field.unknownText);
    if (field.dependents.length > 0 && reading.known && reading.value === true) {
      text += fieldsText(field.dependents, result, options);
    }
  }
  return text;
}

/** As `JSON.stringify`, which takes several times as long for values that need no quotes. */
function valueText(value: SignalValue): string {
  return typeof value === 'boolean' || typeof value === 'number' ? String(value) : JSON.stringify(value);
}
