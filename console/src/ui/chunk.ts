import { type ComponentType, lazy } from 'react';

const pausesMs = [300, 1_500];
const reloadedAt = 'signalpost.reloaded';
/** A second failure within this time is no upgrade: reloading again would loop. */
const onceWithinMs = 60_000;

/**
 * Loads a part of the console's code. A failed request is repeated. If the file stays missing, the service was upgraded
 * while this tab was open: the page reloads once, which loads the new files.
 */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      return await load();
    } catch {
      // The last attempt reports the reason.
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
  try {
    return await load();
  } catch (error) {
    if (!navigator.onLine || Date.now() - Number(sessionStorage.getItem(reloadedAt)) < onceWithinMs) throw error;
    sessionStorage.setItem(reloadedAt, String(Date.now()));
    location.reload();
    return new Promise(() => {});
  }
}

/** A component whose code is loaded when it is first shown. */
export const lazyPart = <Properties extends object>(load: () => Promise<ComponentType<Properties>>) =>
  lazy(async () => ({ default: await loadChunk(load) }));
