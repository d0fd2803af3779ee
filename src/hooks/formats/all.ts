import type { HookFormat } from './format.ts';
import { fusionauth } from './fusionauth.ts';
import { generic } from './generic.ts';
import { kratos } from './kratos.ts';
import { okta } from './okta.ts';
import { supabase } from './supabase.ts';
import { workos } from './workos.ts';
import { zitadel } from './zitadel.ts';

/** Every format by its name on the wire. */
export const formats = { supabase, kratos, zitadel, okta, workos, fusionauth, generic } satisfies Record<
  string,
  HookFormat
>;

export type FormatName = keyof typeof formats;

export const formatNames = Object.keys(formats) as readonly FormatName[];

export const formatOf = (name: FormatName): HookFormat => formats[name];
