/** The scope under which changes to an environment's objects are announced. */
export function scopeOf({ accountId, environment }: { accountId: string; environment: string }): string {
  return `${accountId}/${environment}`;
}
