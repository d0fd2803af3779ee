/** Who changes something, and from where; the audit trail keeps it. */
export interface Actor {
  readonly kind: ActorKind;
  /** The id of a key or user, the name of an operating-system user, or what the service did by itself. */
  readonly id: string;
  /** The IP address of a request, the machine of a command. */
  readonly from: string | null;
}

/** What somebody is called, where that is known. */
export type NamedActors = (actor: Pick<Actor, 'kind' | 'id'>) => string | null;

/** Finds out what some are called: the name of a key, the address of a user. */
export type NameActors = (actors: readonly Pick<Actor, 'kind' | 'id'>[]) => Promise<NamedActors>;

/** `key`: a request with a key; `user`: somebody in the console; `command`: the command line; `service`: nobody. */
export const actorKinds = ['key', 'user', 'command', 'service'] as const;
export type ActorKind = (typeof actorKinds)[number];
