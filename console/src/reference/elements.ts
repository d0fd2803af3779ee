/** Creates an element with properties and children. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** A select with a label for screen readers. */
export function select(label: string, choices: Readonly<Record<string, string>>, chosen: string): HTMLSelectElement {
  const made = element('select', { ariaLabel: label });
  for (const [value, text] of Object.entries(choices)) made.append(element('option', { value }, text));
  made.value = chosen;
  return made;
}

/** An element that the page always has. */
export function byId<Type extends HTMLElement>(id: string, type: new () => Type): Type {
  const found = document.getElementById(id);
  if (found instanceof type) return found;
  throw new Error(`the page has no ${type.name} with the id ${id}`);
}
