import { ownText } from '../../memory/own-text.ts';

/** Makes a text once for each object, and keeps it as long as the object. */
export function oncePer<T extends object>(make: (object: T) => string): (object: T) => string {
  const texts = new WeakMap<T, string>();
  return (object) => {
    let text = texts.get(object);
    if (text === undefined) {
      // One piece: what is put together from parts would be walked through in every answer, 5 of the 54 µs of a decision.
      text = ownText(make(object));
      texts.set(object, text);
    }
    return text;
  };
}
