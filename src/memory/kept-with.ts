/**
 * Makes something once for each object, and keeps it with the object itself. A `WeakMap` would do the same from outside, but
 * its entries are work for every garbage collection, a good part of what the first sight of a domain costs.
 */
export function keptWith<Owner extends object, Made extends object | string, Given = void>(
  make: (owner: Owner, given: Given) => Made,
): (owner: Owner, given: Given) => Made {
  const place = Symbol('kept');
  return (owner, given) => {
    const keeper: { [place]?: Made } = owner;
    keeper[place] ??= make(owner, given);
    return keeper[place];
  };
}
