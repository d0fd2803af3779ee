/** The guides beside the reference, by the names of their files in docs/; `name` is also the last part of their path. */
export const guideGroups: readonly { readonly title: string; readonly names: readonly string[] }[] = [
  { title: 'Start', names: ['quick-start', 'client', 'forms', 'challenge', 'moving-from-usercheck', 'faq'] },
  {
    title: 'Decide',
    names: ['gates', 'gates-api', 'waves', 'outcomes', 'lists-of-your-own', 'hooks', 'webhooks', 'mcp'],
  },
  { title: 'Signals', names: ['signals', 'ip-signals', 'errors', 'blocklist', 'bulk', 'library', 'seen-domains'] },
  { title: 'Operate', names: ['console', 'self-hosting', 'lists', 'privacy', 'scaling', 'runbook'] },
];

/** A guide as the build renders it. */
export interface Guide {
  readonly title: string;
  /** Trusted: made from our own documents. */
  readonly html: string;
  readonly headings: readonly { readonly id: string; readonly text: string }[];
}

/** The rendered guides by name; the build leaves them beside the console. */
export type Guides = Readonly<Record<string, Guide>>;

/** The files that the console's build leaves for the reference; no request path leads to them. */
export const builtTemplate = '.reference.html';
export const builtGuides = '.guides.json';
