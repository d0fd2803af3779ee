import { idnaForms } from './idna.ts';

/** The full stop, and the three characters that UTS 46 maps to it. */
const dots = /[.\u3002\uff0e\uff61]/;
/** No label of a name comes from a longer text, and texts of any size are not worth the work. */
const longestLabelText = 253;
/** RFC 1035, section 2.3.4. */
const longestLabel = 63;

/**
 * A name, or a part of one, with each label as it stands in the ASCII form of a name. A label that no name can have is only
 * lowered in case.
 */
export function asciiLabels(text: string): string {
  return isAscii(text) ? text.toLowerCase() : text.split(dots).map(asciiLabel).join('.');
}

function asciiLabel(label: string): string {
  const forms = isAscii(label) || label.length > longestLabelText ? null : idnaForms(label);
  return forms === null || forms.ascii.length > longestLabel ? label.toLowerCase() : forms.ascii;
}

/** Whether a text has ASCII characters only. */
export function isAscii(text: string): boolean {
  return !/[^\x00-\x7f]/.test(text);
}
