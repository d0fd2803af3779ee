import type { NumberCell, TextCell } from './cells.ts';

/** The number is between low and high, both included. */
const inside = 0;
/** The number is below low or above high. */
const outside = 1;
/** The text is this one. */
const sameText = 2;
/** The text is known and another one. */
const otherText = 3;
/** The text passes a test, or with `negated` does not. */
const testedText = 4;
/** Anything else. */
const called = 5;

/**
 * A compiled condition as plain data of one shape, so that the loop over a gate's conditions runs most of them without a
 * call. A call costs more than the comparison it makes.
 */
export interface Check {
  readonly kind: number;
  readonly number: NumberCell;
  readonly low: number;
  readonly high: number;
  readonly text: TextCell;
  readonly value: string;
  readonly test: (text: string) => boolean;
  readonly negated: boolean;
  readonly call: () => boolean;
}

/** Whether the condition holds for what its cell has loaded. On an unknown number (NaN) neither side of a range holds. */
export function checkHolds(check: Check): boolean {
  switch (check.kind) {
    case inside: {
      const { value } = check.number;
      return value >= check.low && value <= check.high;
    }
    case outside: {
      const { value } = check.number;
      return value < check.low || value > check.high;
    }
    case sameText:
      return check.text.value === check.value;
    case otherText: {
      const { value } = check.text;
      return value !== null && value !== check.value;
    }
    case testedText: {
      const { value } = check.text;
      return value !== null && check.test(value) !== check.negated;
    }
    default:
      return check.call();
  }
}

const unused: Check = {
  kind: called,
  number: { value: Number.NaN },
  low: 0,
  high: 0,
  text: { value: null },
  value: '',
  test: () => false,
  negated: false,
  call: () => false,
};

/** Holds when the number is between low and high, both included. */
export function insideCheck(number: NumberCell, low: number, high: number): Check {
  return { ...unused, kind: inside, number, low, high };
}

/** Holds when the number is known and not between low and high. */
export function outsideCheck(number: NumberCell, low: number, high: number): Check {
  return { ...unused, kind: outside, number, low, high };
}

/** Holds when the text is this one. */
export function sameTextCheck(text: TextCell, value: string): Check {
  return { ...unused, kind: sameText, text, value };
}

/** Holds when the text is known and not this one. */
export function otherTextCheck(text: TextCell, value: string): Check {
  return { ...unused, kind: otherText, text, value };
}

/** Holds when the text is known and passes the test, or with `negated` does not pass it. */
export function testedTextCheck(text: TextCell, test: (text: string) => boolean, negated: boolean): Check {
  return { ...unused, kind: testedText, text, test, negated };
}

/** Holds when the function says so. */
export function calledCheck(call: () => boolean): Check {
  return { ...unused, call };
}
