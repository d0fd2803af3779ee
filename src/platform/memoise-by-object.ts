/** One property for all memos of an object: with a property each, an object that is used once costs ten times as much. */
const memos = Symbol('memos');
let slots = 0;

interface Holder {
  [memos]?: unknown[];
}

/**
 * Makes a value once per object and stores it on the object itself. A `WeakMap` would do the same from outside, but every
 * garbage collection has to visit its entries, a measurable part of the first lookup of a domain. A copy by spread shares the memos.
 */
export function memoiseByObject<Owner extends object, Made extends object | string, Given = void>(
  make: (owner: Owner, given: Given) => Made,
): (owner: Owner, given: Given) => Made {
  const slot = slots;
  slots += 1;
  return (owner, given) => {
    const holder: Holder = owner;
    holder[memos] ??= new Array(slots);
    const made = holder[memos];
    made[slot] ??= make(owner, given);
    return made[slot] as Made;
  };
}
