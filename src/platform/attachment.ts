let slots = 0;

/**
 * An object to which others attach values they can read back without a lookup. With ten thousand active accounts, one map
 * probe per kind of value was a quarter of the additional cost. A copy of the object has no attachments.
 */
export class Attachable {
  readonly #values = new Array<unknown>(slots);

  static read(owner: object, slot: number): unknown {
    return #values in owner ? owner.#values[slot] : undefined;
  }

  static write(owner: object, slot: number, value: unknown): void {
    if (#values in owner) owner.#values[slot] = value;
  }
}

/** One kind of attached value; an object that is not `Attachable` never has one. */
export interface Attachment<Value> {
  of(owner: object): Value | undefined;
  put(owner: object, value: Value): void;
}

/** Reserves a slot on every `Attachable`. A value may become stale: its reader must be able to tell. */
export function createAttachment<Value>(): Attachment<Value> {
  const slot = slots;
  slots += 1;
  return {
    of: (owner) => Attachable.read(owner, slot) as Value | undefined,
    put: (owner, value) => Attachable.write(owner, slot, value),
  };
}
