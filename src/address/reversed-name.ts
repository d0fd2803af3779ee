/** The labels of a name from its end (`com.example.mail`), so that names below another stand together; the same way back. */
export function reversedName(name: string): string {
  return name.split('.').reverse().join('.');
}
