/** Who changes something, and from where; the audit trail keeps it. */
export interface Actor {
  readonly kind: ActorKind;
  /** The id of a key or user, the name of an operating-system user, or the service's own task. */
  readonly id: string;
  /** The IP address of a request, the machine of a command. */
  readonly from: string | null;
}

/** The display name of an actor, where it is known. */
export type NamedActors = (actor: Pick<Actor, 'kind' | 'id'>) => string | null;

/** Loads the display names of actors: the name of a key, the address of a user. */
export type NameActors = (actors: readonly Pick<Actor, 'kind' | 'id'>[]) => Promise<NamedActors>;

/** `key`: a request with a key; `user`: a user of the console; `command`: the command line; `service`: the service itself. */
export const actorKinds = ['key', 'user', 'command', 'service'] as const;
export type ActorKind = (typeof actorKinds)[number];
