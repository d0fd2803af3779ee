/** The value of a signal when it is known. */
export type SignalValue = boolean | number | string | readonly object[];

/** The JSON Schema of values of one type. */
export type ValueSchema<T> = [T] extends [boolean]
  ? { readonly type: 'boolean' }
  : [T] extends [number]
    ? { readonly type: 'integer'; readonly minimum?: number; readonly maximum?: number }
    : [T] extends [string]
      ? { readonly type: 'string'; readonly enum?: readonly T[] }
      : T extends readonly (infer Item)[]
        ? { readonly type: 'array'; readonly items: ItemSchema<Item> }
        : never;

/** The JSON Schema of an element of a list. */
export interface ItemSchema<Item> {
  readonly type: 'object';
  readonly required: readonly (keyof Item)[];
  readonly properties: { readonly [Key in keyof Item]: ValueSchema<Item[Key]> };
}

/** The JSON Schema of a signal whose type does not matter at the moment. */
export type WireSchema =
  | ValueSchema<boolean>
  | ValueSchema<number>
  | ValueSchema<string>
  | { readonly type: 'array'; readonly items: AnyItemSchema };

interface AnyItemSchema {
  readonly type: 'object';
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, { readonly type: string }>>;
}
