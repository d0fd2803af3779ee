import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage } from '../../error-message.ts';
import { writeFileAtomic } from '../../files/atomic-file.ts';
import { fileStamp } from '../../files/file-stamp.ts';
import type { GuardedHttp } from '../../net/http/guarded-http.ts';
import { GuardedHttpError } from '../../net/http/guarded-http-error.ts';
import { editionOf, pastTime } from './edition-date.ts';
import type { RefreshSource } from './refresh-catalogue.ts';
import { prepareDownload } from './refresh-prepare.ts';
import { Refusal } from './refresh-refusal.ts';
import { type RefreshState, readRefreshState, writeRefreshState } from './refresh-state.ts';
import { refreshTarget } from './refresh-target.ts';

export interface RefreshResult {
  readonly source: string;
  /** `refused`: it arrived but cannot be used. `failed`: it did not arrive. The last good edition stays in use after both. */
  readonly result: 'updated' | 'unchanged' | 'refused' | 'failed';
  /** The number of entries of the edition in use; 0 while there is no downloaded one. */
  readonly count: number;
  readonly reason: string | null;
  /** The changes since the previous edition, where that is known. */
  readonly added?: number;
  readonly removed?: number;
}

export interface RefreshSourceOptions {
  readonly dataDir: string;
  readonly download: GuardedHttp['download'];
  /** Names that no source may flag as disposable. */
  readonly neverFlag: ReadonlySet<string>;
  readonly now: () => number;
  /** Skips sources that were requested less than this ago. */
  readonly notWithinMs?: number;
  readonly onProgress?: (source: string, receivedBytes: number, totalBytes: number | null) => void;
}

/** An installed input of the snapshot, with the previous file and state for a revert. */
export interface Installed {
  readonly source: string;
  readonly path: string;
  readonly before: Buffer | null;
  readonly stateBefore: RefreshState;
}

/** The result for one source, and the input installed for the snapshot. */
export interface RefreshedSource {
  readonly result: RefreshResult;
  readonly installed: Installed | null;
}

/** Small lists take a second, a city database some minutes on a slow line. */
const downloadTimeoutMs = 600_000;

/** Refreshes one source; failures are in the result. */
export async function refreshSource(
  source: RefreshSource,
  workDir: string,
  options: RefreshSourceOptions,
): Promise<RefreshedSource> {
  const { dataDir, now } = options;
  const state = readRefreshState(dataDir, source.name);
  const answer = (result: RefreshResult['result'], reason: string | null): RefreshedSource => ({
    result: { source: source.name, result, count: state.count, reason },
    installed: null,
  });
  const waitMs = Math.max(source.everyMs, options.notWithinMs ?? 0);
  const agoMs = now() - state.checkedAtMs;
  // A clock that was set back must not block a source for ever.
  if (agoMs >= 0 && agoMs < waitMs) {
    return answer('unchanged', `requested less than ${Math.round(waitMs / 3_600_000)} hours ago`);
  }
  try {
    const edition = await fetchEdition(source, state, workDir, options);
    if (edition !== null) return await install(source, edition, state, options);
    writeRefreshState(dataDir, source.name, { ...state, checkedAtMs: now(), problem: null });
    return answer('unchanged', null);
  } catch (error) {
    const problem = errorMessage(error);
    const isRefused = error instanceof Refusal;
    // An unreachable publisher may be contacted again immediately.
    const checkedAtMs = isRefused ? now() : state.checkedAtMs;
    writeRefreshState(dataDir, source.name, { ...state, checkedAtMs, problem });
    return answer(isRefused ? 'refused' : 'failed', problem);
  }
}

interface Download {
  readonly bytes: Buffer;
  readonly sha256: string;
  readonly etag: string | null;
  /** When its publisher made it, ISO 8601; null when the server does not say. */
  readonly madeAt: string | null;
  readonly url: string;
}

/** The publisher's current edition; null when it is the one in use. */
async function fetchEdition(
  source: RefreshSource,
  state: RefreshState,
  workDir: string,
  { dataDir, now, download, onProgress }: RefreshSourceOptions,
): Promise<Download | null> {
  const file = join(workDir, source.name);
  // "Not modified" would leave a lost or replaced file as it is.
  const inPlace = state.stamp === fileStamp(refreshTarget(source, dataDir).path);
  const fetch = async (url: string): Promise<Download | null> => {
    const answer = await download(url, file, {
      timeoutMs: downloadTimeoutMs,
      maxBytes: source.maxBytes,
      ...(inPlace && state.url === url && state.etag !== null ? { etag: state.etag } : {}),
      onProgress: (received, total) => onProgress?.(source.name, received, total),
    });
    if (answer.kind === 'not_modified') return null;
    const bytes = readFileSync(file);
    const sha256 = hash('sha256', bytes);
    return inPlace && sha256 === state.sha256
      ? null
      : { bytes, sha256, etag: answer.etag, madeAt: pastTime(answer.lastModified, now()), url };
  };
  const [latest, previous] = editionUrls(source.url, now());
  try {
    return await fetch(latest);
  } catch (error) {
    if (previous === null || !(error instanceof GuardedHttpError) || error.reason !== 'bad_status') throw error;
    return await fetch(previous);
  }
}

/** The URLs of this month and of the last one: publishers release a new edition some days into the month. */
function editionUrls(pattern: string, nowMs: number): [latest: string, previous: string | null] {
  if (!pattern.includes('{MM}')) return [pattern, null];
  const today = new Date(nowMs);
  const urlOf = (date: Date): string =>
    pattern
      .replaceAll('{YYYY}', String(date.getUTCFullYear()))
      .replaceAll('{MM}', String(date.getUTCMonth() + 1).padStart(2, '0'));
  return [urlOf(today), urlOf(new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1, 1)))];
}

async function install(
  source: RefreshSource,
  { bytes, sha256, etag, madeAt, url }: Download,
  state: RefreshState,
  { dataDir, neverFlag, now }: RefreshSourceOptions,
): Promise<RefreshedSource> {
  const { path, inSnapshot } = refreshTarget(source, dataDir);
  const context = { lastCount: state.count, madeAt, neverFlag, now, path };
  const { content, count, date = null } = await prepareDownload(source, bytes, context);
  const before = inSnapshot && existsSync(path) ? readFileSync(path) : null;
  writeFileAtomic(path, content);
  const nowMs = now();
  writeRefreshState(dataDir, source.name, {
    checkedAtMs: nowMs,
    fetchedAtMs: nowMs,
    edition: editionOf(date, madeAt, nowMs),
    count,
    etag,
    url,
    sha256,
    stamp: fileStamp(path),
    problem: null,
  });
  return {
    result: { source: source.name, result: 'updated', count, reason: null, ...differenceOf(before, content) },
    installed: inSnapshot ? { source: source.name, path, before, stateBefore: state } : null,
  };
}

/** How the names of a list differ from the previous edition's; empty where there was none. */
function differenceOf(before: Buffer | null, content: Uint8Array | string): { added?: number; removed?: number } {
  if (before === null || typeof content !== 'string') return {};
  const old = namesOf(before.toString('utf8'));
  const current = namesOf(content);
  return { added: current.difference(old).size, removed: old.difference(current).size };
}

/** The first column of each line that is no comment. */
function namesOf(text: string): Set<string> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Set(lines.map((line) => line.split(' ', 1)[0] ?? ''));
}
