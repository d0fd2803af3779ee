import { type ComponentType, createElement, useState } from 'react';
import { lazyPart } from '../ui/chunk.ts';
import type { IconName } from '../ui/icon.tsx';

/** A page, for the navigation, the palette and the shortcuts. */
export interface PageEntry {
  /** Its segment of the URL: `/console/production/log`. */
  readonly path: string;
  readonly title: string;
  /** The key that opens it after `g`. */
  readonly letter: string;
  readonly icon: IconName;
  /** Lists serve every account, so only operators see them. */
  readonly operatorOnly?: true;
  /** The component for the path, and for the paths below it. */
  readonly routes: Readonly<Record<string, Part>>;
}

interface Part {
  readonly Component: ComponentType;
  readonly load: () => Promise<unknown>;
}

function part(load: () => Promise<ComponentType>): Part {
  let loading: Promise<ComponentType> | undefined;
  let loaded: ComponentType | undefined;
  const once = () => {
    loading ??= load().then(
      (Page) => {
        loaded = Page;
        return Page;
      },
      (error) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  const Lazy = lazyPart(once);
  // A loaded page renders immediately: React would delay even a resolved lazy component for 300 ms.
  const Component = () => createElement(useState(() => loaded ?? Lazy)[0]);
  return { Component, load: once };
}

/** Every page, in the order of the navigation. */
export const pages: readonly PageEntry[] = [
  {
    path: 'overview',
    title: 'Overview',
    letter: 'o',
    icon: 'overview',
    routes: { '': part(async () => (await import('./overview/overview-page.tsx')).OverviewPage) },
  },
  {
    path: 'lookup',
    title: 'Look up',
    letter: 'u',
    icon: 'lookup',
    routes: { '': part(async () => (await import('./lookup/lookup-page.tsx')).LookupPage) },
  },
  {
    path: 'gates',
    title: 'Gates',
    letter: 'g',
    icon: 'gates',
    routes: {
      '': part(async () => (await import('./gates/gates-page.tsx')).GatesPage),
      ':gateId/:tab?': part(async () => (await import('./gates/gate-page.tsx')).GatePage),
    },
  },
  {
    path: 'connect',
    title: 'Connect',
    letter: 'c',
    icon: 'external',
    routes: { '': part(async () => (await import('./connect/connect-page.tsx')).ConnectPage) },
  },
  {
    path: 'log',
    title: 'Log',
    letter: 'l',
    icon: 'log',
    routes: {
      '': part(async () => (await import('./log/log-page.tsx')).LogPage),
      ':decisionId': part(async () => (await import('./decision/decision-page.tsx')).DecisionPage),
      'person/:address': part(async () => (await import('./person/person-page.tsx')).PersonPage),
    },
  },
  {
    path: 'outcomes',
    title: 'Outcomes',
    letter: 't',
    icon: 'thumbUp',
    routes: { '': part(async () => (await import('./outcomes/outcomes-page.tsx')).OutcomesPage) },
  },
  {
    path: 'waves',
    title: 'Waves',
    letter: 'v',
    icon: 'waves',
    routes: {
      '': part(async () => (await import('./waves/waves-page.tsx')).WavesPage),
      ':waveId': part(async () => (await import('./waves/wave-page.tsx')).WavePage),
    },
  },
  {
    path: 'blocklist',
    title: 'Blocklist',
    letter: 'b',
    icon: 'blocklist',
    routes: { '': part(async () => (await import('./blocklist/blocklist-page.tsx')).BlocklistPage) },
  },
  {
    path: 'custom-lists',
    title: 'Your lists',
    letter: 'y',
    icon: 'tag',
    routes: {
      '': part(async () => (await import('./custom-lists/custom-lists-page.tsx')).CustomListsPage),
      ':listId': part(async () => (await import('./custom-lists/custom-list-page.tsx')).CustomListPage),
    },
  },
  {
    path: 'keys',
    title: 'Keys',
    letter: 'k',
    icon: 'key',
    routes: { '': part(async () => (await import('./keys/keys-page.tsx')).KeysPage) },
  },
  {
    path: 'webhooks',
    title: 'Webhooks',
    letter: 'w',
    icon: 'webhooks',
    routes: {
      '': part(async () => (await import('./webhooks/webhooks-page.tsx')).WebhooksPage),
      ':webhookId': part(async () => (await import('./webhooks/webhook-page.tsx')).WebhookPage),
    },
  },
  {
    path: 'lists',
    title: 'Data sources',
    letter: 'i',
    icon: 'lists',
    operatorOnly: true,
    routes: { '': part(async () => (await import('./lists/lists-page.tsx')).ListsPage) },
  },
  {
    path: 'settings',
    title: 'Settings',
    letter: 's',
    icon: 'settings',
    routes: { '': part(async () => (await import('./settings/settings-page.tsx')).SettingsPage) },
  },
];

/** The page that opens by default. */
export const firstPage = pages[0]?.path ?? '';

/** Loads the code of all pages, so that navigation does not wait for it. */
export function loadAllPages(): void {
  // A failure shows when the page is opened, which loads it again.
  for (const { routes } of pages) for (const { load } of Object.values(routes)) void load().catch(() => {});
}
