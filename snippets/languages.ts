import { curl } from './curl.ts';
import { go } from './go.ts';
import { java } from './java.ts';
import { php } from './php.ts';
import { python } from './python.ts';
import { ruby } from './ruby.ts';
import type { Language } from './snippet.ts';
import { typescript } from './typescript.ts';

/** The languages in the order in which they are offered. */
export const languages: readonly Language[] = [curl, typescript, python, php, ruby, go, java];
