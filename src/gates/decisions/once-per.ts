/** Makes a text once for each object, and keeps it as long as the object. */
export function oncePer<T extends object>(make: (object: T) => string): (object: T) => string {
  const texts = new WeakMap<T, string>();
  return (object) => {
    let text = texts.get(object);
    if (text === undefined) {
      text = make(object);
      texts.set(object, text);
    }
    return text;
  };
}
