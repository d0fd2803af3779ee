import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { curatedData } from '../files/package-files.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { CallExamples } from '../http/openapi.ts';
import type { Page } from '../http/operation-routes.ts';
import { lazily } from '../platform/lazily.ts';
import { builtGuides, builtTemplate, type Guides, guideGroups } from './guides.ts';
import { Html, html } from './html.ts';
import { callsBySection, type OpenApi } from './open-api.ts';
import { type Frame, type FramedPage, framedPage } from './page-frame.ts';
import { referenceContent } from './reference-page.ts';
import { searchIndex } from './search-index.ts';

/** The public pages: the OpenAPI document, the reference generated from it, the guides, and the search index. */
export function referencePages(
  openapi: () => object,
  folder: string,
  endpointsOfTools: readonly Endpoint[] = [],
): Page[] {
  const document = lazily(() => JSON.stringify(openapi()));
  const frame = (): Frame => {
    const { info } = openapi() as OpenApi;
    const text = readBuilt(folder, builtGuides);
    const guides: Guides = text === null ? {} : JSON.parse(text);
    return { version: info.version, sections: callsBySection(openapi() as OpenApi), guides };
  };
  const framed = (path: string, describe: (frame: Frame) => FramedPage): Page => ({
    path,
    type: 'text/html; charset=utf-8',
    headers: () => safetyHeaders,
    text: onceBuilt(folder, (template) => {
      const known = frame();
      return framedPage(template, known, describe(known));
    }),
  });
  return [
    { path: '/openapi.json', type: 'application/json; charset=utf-8', text: document },
    framed('/docs', ({ sections }) => ({
      title: 'Signalpost API reference',
      root: './',
      guide: null,
      content: referenceContent(openapi() as OpenApi, sections, endpointsOfTools),
    })),
    {
      path: '/docs/search.json',
      type: 'application/json; charset=utf-8',
      text: onceBuilt(folder, () => {
        const { sections, guides } = frame();
        return JSON.stringify(searchIndex(sections, guides));
      }),
    },
    ...guideGroups
      .flatMap(({ names }) => names)
      .map((name) => framed(`/docs/${name}`, ({ guides }) => guidePage(name, guides))),
  ];
}

/** Recorded calls of the endpoints and their responses. */
export function readExamples(): CallExamples {
  return JSON.parse(readFileSync(join(curatedData, 'reference', 'examples.json'), 'utf8'));
}

function guidePage(name: string, guides: Guides): FramedPage {
  const guide = guides[name];
  const content =
    guide === undefined
      ? html`<h1>${name}</h1><p>The guides are not built. In a checkout, run <code>node scripts/setup.mjs</code> and load this page again. The same text is in <code>docs/${name}.md</code>.</p>`
      : html`<article class="guide">${new Html(guide.html)}</article>`;
  return { title: `${guide?.title ?? name} · Signalpost`, root: '../', guide: name, content };
}

/** Makes a text with the first call and caches it; while the console is not built, every call looks for the build again. */
function onceBuilt(folder: string, make: (template: string | null) => string): () => string {
  let cached: string | null = null;
  return () => {
    if (cached !== null) return cached;
    const template = readBuilt(folder, builtTemplate);
    const text = make(template);
    if (template !== null) cached = text;
    return text;
  };
}

function readBuilt(folder: string, name: string): string | null {
  const path = join(folder, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

/** The pages load scripts, styles and fonts only from this service, connect only to it, and cannot be framed. */
const safetyHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};
