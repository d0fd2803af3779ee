/**
 * Makes a value once per object and stores it on the object itself. A `WeakMap` would do the same from outside, but every
 * garbage collection has to visit its entries, a measurable part of the first lookup of a domain. A copy by spread shares the memos.
 */
export function memoiseByObject<Owner extends object, Made extends object | string, Given = void>(
  make: (owner: Owner, given: Given) => Made,
): (owner: Owner, given: Given) => Made {
  const memo = Symbol('memo');
  return (owner, given) => {
    const holder: { [memo]?: Made } = owner;
    holder[memo] ??= make(owner, given);
    return holder[memo];
  };
}
