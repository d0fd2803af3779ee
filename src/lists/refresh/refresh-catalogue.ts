import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import catalogue from '../../../data/refresh-sources.json' with { type: 'json' };
import { errorMessage } from '../../error-message.ts';
import { isPlainObject } from '../../input/json-value.ts';

/** How a download is read and where it goes; see `prepareDownload`. */
const refreshFormats = ['lines', 'json', 'fakefilter', 'tlds', 'rdap', 'ranking', 'addresses', 'mmdb'] as const;

export type RefreshFormat = (typeof refreshFormats)[number];

/** One thing that `lists update` downloads. */
export interface RefreshSource {
  readonly name: string;
  readonly url: string;
  readonly publisher: string;
  readonly licence: string;
  readonly enabled: boolean;
  readonly format: RefreshFormat;
  /** The npm package whose copy the download replaces. */
  readonly package: string | null;
  /** The file below `lists/ip` that it becomes. */
  readonly file: string | null;
  readonly maxBytes: number;
  /** The shortest interval between requests that the publisher allows. */
  readonly everyMs: number;
}

/** Where the operator's choices are. */
function refreshSettingsPath(dataDir: string): string {
  return join(dataDir, 'lists', 'refresh.json');
}

/**
 * The sources with the operator's choices: `{"tranco": {"enabled": true}, "fakefilter": {"url": "https://…"}}`. A wrong
 * file is an error that names the problem, rather than half of the choices. The bootstrap
 * registry of RDAP has its own setting (`RDAP_BOOTSTRAP_URL`).
 */
export function readRefreshSources(dataDir: string, rdapBootstrapUrl: string): RefreshSource[] {
  const choices = readChoices(refreshSettingsPath(dataDir));
  return shippedSources.map((source) => {
    const url = source.format === 'rdap' ? rdapBootstrapUrl : source.url;
    return { ...source, url, ...choices.get(source.name) };
  });
}

const shippedSources: readonly RefreshSource[] = catalogue.entries.map((entry) => ({
  name: entry.name,
  url: entry.url,
  publisher: entry.publisher,
  licence: entry.licence,
  enabled: entry.enabled,
  format: formatOf(entry.format),
  package: entry.package ?? null,
  file: entry.file ?? null,
  maxBytes: entry.maxMegabytes * 1024 * 1024,
  everyMs: (entry.everyHours ?? 0) * 3_600_000,
}));

/** The sources that a download replaces unless the operator chose otherwise: itself, and the package whose copy is in use without it. */
export const downloadable: ReadonlySet<string> = new Set(
  shippedSources.flatMap(({ name, enabled, package: copy }) =>
    enabled ? [name, ...(copy === null ? [] : [copy])] : [],
  ),
);

function formatOf(text: string): RefreshFormat {
  const format = refreshFormats.find((known) => known === text);
  if (format === undefined) throw new Error(`data/refresh-sources.json: there is no format "${text}"`);
  return format;
}

interface Choice {
  enabled?: boolean;
  url?: string;
}

function readChoices(path: string): Map<string, Choice> {
  if (!existsSync(path)) return new Map();
  const wrong = (problem: string) => new Error(`${path}: ${problem}`);
  let document: unknown;
  try {
    document = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw wrong(errorMessage(error));
  }
  if (!isPlainObject(document)) throw wrong('expected an object of sources');
  return new Map(
    Object.entries(document).map(([name, value]) => {
      const source = shippedSources.find((each) => each.name === name);
      if (source === undefined) throw wrong(`there is no source "${name}"`);
      if (!isPlainObject(value)) throw wrong(`"${name}" must be an object with "enabled" or "url"`);
      return [name, readChoice(source, value, wrong)];
    }),
  );
}

function readChoice(source: RefreshSource, value: object, wrong: (problem: string) => Error): Choice {
  const choice: Choice = {};
  for (const [key, chosen] of Object.entries(value)) {
    if (key === 'enabled' && typeof chosen === 'boolean') choice.enabled = chosen;
    else if (key === 'url' && source.format === 'rdap')
      throw wrong(`"${source.name}.url": set RDAP_BOOTSTRAP_URL instead`);
    else if (key === 'url' && typeof chosen === 'string' && /^https?:\/\//.test(chosen) && URL.canParse(chosen))
      choice.url = chosen;
    else throw wrong(`"${source.name}.${key}" is not true or false for "enabled", nor a web address for "url"`);
  }
  return choice;
}
