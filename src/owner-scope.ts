/** The scope under which changes to what an environment owns are announced. */
export function scopeOf({ accountId, environment }: { accountId: string; environment: string }): string {
  return `${accountId}/${environment}`;
}
