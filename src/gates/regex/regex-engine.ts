import { createRequire } from 'node:module';
import { lazily } from '../../platform/lazily.ts';

/** The engine of users' regular expressions, loaded with the first of them: a service without any starts sooner. */
export const regexEngine = lazily((): typeof import('re2js') => createRequire(import.meta.url)('re2js'));
