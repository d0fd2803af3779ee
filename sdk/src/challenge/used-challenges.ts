/** Remembers used challenges. */
export interface UsedChallenges {
  /** Marks a challenge as used until it expires; false when it was used already. Must be atomic, such as `SET … NX` of Redis. */
  add(id: string, expiresAtMs: number): boolean | Promise<boolean>;
}

/** A flood must not fill the memory; a solution costs far more than an entry. */
const maxUsed = 100_000;

/** Remembers them in this process. */
export function createUsedChallenges(): UsedChallenges {
  const expiries = new Map<string, number>();
  return {
    add(id, expiresAtMs) {
      if (expiries.has(id)) return false;
      // Oldest first, because every challenge lives equally long.
      for (const [known, atMs] of expiries) {
        if (atMs > Date.now() && expiries.size < maxUsed) break;
        expiries.delete(known);
      }
      expiries.set(id, expiresAtMs);
      return true;
    },
  };
}
