import { createContext, useContext } from 'react';

/** The environments of an account, the most important first. */
export const environments = ['production', 'staging', 'development'] as const;
/** One of them. */
export type Environment = (typeof environments)[number];

/** Whether a segment of the URL is an environment. */
export const isEnvironment = (word: string | undefined): word is Environment =>
  environments.some((environment) => environment === word);

const rememberedAs = 'signalpost.environment';

/** The environment last used in this browser; production by default. */
export function lastEnvironment(): Environment {
  const kept = localStorage.getItem(rememberedAs) ?? undefined;
  return isEnvironment(kept) ? kept : 'production';
}

/** Remembers the environment for the next visit. */
export const rememberEnvironment = (environment: Environment): void => localStorage.setItem(rememberedAs, environment);

/** The environment of the page. */
export const EnvironmentContext = createContext<Environment>('production');

/** The environment of the page. */
export const useEnvironment = (): Environment => useContext(EnvironmentContext);
