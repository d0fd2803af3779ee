/** The labels of a name from its end (`com.example.mail`), so that names below another stand together; the same way back. */
export function reversedName(name: string): string {
  // Ten million names are turned at a time: a list of labels for each would take three times as long.
  let reversed = '';
  let end = name.length;
  for (let dot = name.lastIndexOf('.'); dot >= 0; dot = dot === 0 ? -1 : name.lastIndexOf('.', dot - 1)) {
    reversed += `${name.slice(dot + 1, end)}.`;
    end = dot;
  }
  return reversed + name.slice(0, end);
}
