import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorMessage } from '../../error-message.ts';
import { openDraft } from '../../files/atomic-file.ts';
import { parseBoundedJson } from '../../json-depth.ts';
import type { GuardedHttp } from '../http/guarded-http.ts';
import { hasPassed } from './breaker.ts';
import { isPublicServer, parseRdapBootstrap, type RdapServers } from './rdap-bootstrap-document.ts';

export interface RdapBootstrapOptions {
  readonly http: GuardedHttp;
  /** Where the bootstrap registry for domain names (RFC 9224) is published. */
  readonly url: string;
  /** Holds the last good copy, so that a restart needs no network. */
  readonly dataDir: string;
  readonly now: () => number;
  /** Called when a refresh fails; the old copy stays in use. */
  readonly onProblem?: (problem: string) => void;
}

/** The RDAP servers of all registries. */
export interface RdapBootstrap {
  /** The servers, from memory, disk or network; null while they cannot be obtained. */
  servers(): Promise<RdapServers | null>;
}

const refreshMs = 24 * 3_600_000;
const retryMs = 10_000;
const fetchLimits = { timeoutMs: 10_000, maxBytes: 4 * 1024 * 1024, accept: 'application/json' };
/** A registry this large that comes back at less than half its size was cut, whatever its shape. */
const shrinkCheckedFrom = 100;

interface Copy {
  readonly servers: RdapServers;
  readonly fetchedAtMs: number;
}

/** Makes the bootstrap: one fetch at a time, refreshed daily in the background, the last good copy kept on disk. */
export function createRdapBootstrap(options: RdapBootstrapOptions): RdapBootstrap {
  const { now, onProblem = () => {} } = options;
  const file = bootstrapPath(options.dataDir);
  let copy: Copy | null = null;
  let disk: Promise<void> | null = null;
  let fetching: Promise<void> | null = null;
  let failedAtMs: number | null = null;

  async function fetchAndKeep(): Promise<void> {
    try {
      const fetched = await fetchRegistry(options, copy);
      copy = { servers: fetched.servers, fetchedAtMs: now() };
      failedAtMs = null;
      await saveCopy(file, options.url, copy.fetchedAtMs, fetched.text);
    } catch (error) {
      if (copy === null || hasPassed(copy.fetchedAtMs, refreshMs, now())) failedAtMs = now();
      onProblem(`RDAP bootstrap: ${errorMessage(error)}`);
    }
  }

  return {
    async servers() {
      disk ??= loadCopy(file, options).then((loaded) => {
        copy = loaded;
      });
      await disk;
      const due = copy === null || hasPassed(copy.fetchedAtMs, refreshMs, now());
      if (due && fetching === null && (failedAtMs === null || hasPassed(failedAtMs, retryMs, now()))) {
        fetching = fetchAndKeep().finally(() => {
          fetching = null;
        });
      }
      if (copy === null) await fetching;
      return copy?.servers ?? null;
    },
  };
}

async function fetchRegistry({ http, url }: RdapBootstrapOptions, previous: Copy | null) {
  const answer = await http.get(url, fetchLimits);
  if (answer.status !== 200) throw new Error(`the server answered ${answer.status}`);
  const servers = parseRdapBootstrap(answer.body, isAllowed(http));
  if (servers === null) {
    throw new Error('the document is not a bootstrap registry, or names servers that are not public');
  }
  const before = previous?.servers.size ?? 0;
  if (before >= shrinkCheckedFrom && servers.size < before / 2) {
    throw new Error(`the document shrank from ${before} to ${servers.size} suffixes`);
  }
  return { servers, text: answer.body };
}

/** Servers of the public internet, and those the operator exempted. */
function isAllowed(http: GuardedHttp): (server: URL) => boolean {
  return (server) => http.isExempt(server) || isPublicServer(server);
}

/** Null when there is no copy, it cannot be read, or it came from another address than the one now configured. */
async function loadCopy(file: string, { http, url }: RdapBootstrapOptions): Promise<Copy | null> {
  let text: Buffer;
  try {
    text = await readFile(file);
  } catch {
    // No copy yet, or an unreadable one: it is fetched from the network.
    return null;
  }
  const kept = parseBoundedJson(text);
  if (typeof kept !== 'object' || kept === null || !('url' in kept) || kept.url !== url) return null;
  if (!('fetchedAtMs' in kept) || typeof kept.fetchedAtMs !== 'number' || !('document' in kept)) return null;
  const servers = parseRdapBootstrap(Buffer.from(JSON.stringify(kept.document)), isAllowed(http));
  return servers === null ? null : { servers, fetchedAtMs: kept.fetchedAtMs };
}

/** Where the last good copy is. */
export function bootstrapPath(dataDir: string): string {
  return join(dataDir, 'rdap-bootstrap.json');
}

/** The text of a kept copy; it says where it came from, so that a changed URL causes a new download. */
export function bootstrapCopy(url: string, fetchedAtMs: number, document: Buffer): string {
  return JSON.stringify({ url, fetchedAtMs, document: parseBoundedJson(document) });
}

async function saveCopy(file: string, url: string, fetchedAtMs: number, text: Buffer): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await using draft = await openDraft(file);
  await draft.append(bootstrapCopy(url, fetchedAtMs, text));
  await draft.publish();
}
