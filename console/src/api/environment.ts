import { createContext, useContext } from 'react';

/** The environments of an account, in the order of their weight. */
export const environments = ['production', 'staging', 'development'] as const;
/** One of them. */
export type Environment = (typeof environments)[number];

/** Whether a word of the address names an environment. */
export const isEnvironment = (word: string | undefined): word is Environment =>
  environments.some((environment) => environment === word);

const rememberedAs = 'signalpost.environment';

/** The environment that was looked at last; production to begin with. */
export function lastEnvironment(): Environment {
  const kept = localStorage.getItem(rememberedAs) ?? undefined;
  return isEnvironment(kept) ? kept : 'production';
}

/** Notes where somebody is, for the next time. */
export const rememberEnvironment = (environment: Environment): void => localStorage.setItem(rememberedAs, environment);

/** The environment of the page around it. */
export const EnvironmentContext = createContext<Environment>('production');

/** The environment of the page. */
export const useEnvironment = (): Environment => useContext(EnvironmentContext);
