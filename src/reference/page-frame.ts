import { type Guides, guideGroups } from './guides.ts';
import { Html, html, none } from './html.ts';
import type { Call } from './open-api.ts';

/** The parts of every page around its content. */
export interface Frame {
  readonly version: string;
  readonly sections: ReadonlyMap<string, readonly Call[]>;
  readonly guides: Guides;
}

export interface FramedPage {
  readonly title: string;
  /** From the page to the root of the service: `./` or `../`. */
  readonly root: string;
  /** The guide that the page shows; null for the operations. */
  readonly guide: string | null;
  readonly content: Html;
}

/** Readable, without the design, while the console is not built. */
const plainTemplate = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title></title>
<link rel="icon" href="data:,">
</head>
<body></body>
</html>
`;

/** A whole page in the template that the console's build leaves; null means no build. */
export function framedPage(template: string | null, frame: Frame, page: FramedPage): string {
  const body = bodyOf(frame, page).text;
  // Functions, because a text could contain `$&`.
  return (template ?? plainTemplate)
    .replaceAll('="/console/', () => `="${page.root}console/`)
    .replace(/<title>.*?<\/title>/, () => html`<title>${page.title}</title>`.text)
    .replace('<body>', () => `<body data-root="${page.root}">${body}`);
}

function bodyOf(frame: Frame, { root, guide, content }: FramedPage): Html {
  return html`
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="${root}docs">Signalpost <span>API reference ${frame.version}</span></a>
<div class="search" id="search-box" hidden><input id="search" type="search" role="combobox" aria-label="Search calls and guides" aria-controls="results" aria-expanded="false" aria-autocomplete="list" placeholder="Search calls and guides" autocomplete="off" spellcheck="false"><kbd>/</kbd><div id="results" class="results" role="listbox" aria-label="Results" hidden></div></div>
<form id="fill" class="fill" hidden aria-label="Fill in the examples"><label for="key">Key</label><input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="sp_prd_…" title="Stays in this page, and is gone when you leave it"><label for="gate">Gate id</label><input id="gate" autocomplete="off" spellcheck="false" placeholder="01…"></form>
<p class="links"><a href="${root}console">Console</a> <select id="theme" aria-label="Theme" hidden><option value="system">System</option><option value="light">Light</option><option value="dark">Dark</option></select></p>
</header>
<div class="layout">
<nav aria-label="Contents"><details open><summary>Contents</summary>
${guideGroups.map(({ title, names }, index) =>
  navPart(
    title,
    index < 2 || (guide !== null && names.includes(guide)),
    names.map((name) => guideLink(frame.guides, root, name, guide)),
  ),
)}
${[...frame.sections].map(([title, calls]) =>
  navPart(
    title,
    guide === null,
    calls.map((call) => callLink(call, root)),
  ),
)}
${navPart('Agents', guide === null, [html`<li><a href="${root}docs#mcp">MCP tools</a></li>`])}
</details></nav>
<main id="content">${content}</main></div>
`;
}

function navPart(title: string, isOpen: boolean, links: readonly Html[]): Html {
  return html`<details class="part"${isOpen ? new Html(' open') : none}><summary>${title}</summary><ul>${links}</ul></details>`;
}

function guideLink(guides: Guides, root: string, name: string, current: string | null): Html {
  const title = guides[name]?.title ?? name;
  const mark = name === current ? new Html(' aria-current="page"') : none;
  return html`<li><a href="${root}docs/${name}"${mark}>${title}</a></li>`;
}

function callLink({ method, operation: { operationId, summary } }: Call, root: string): Html {
  return html`<li><a class="call" href="${root}docs#${operationId}"><span class="method ${method.toLowerCase()}">${method}</span> ${summary}</a></li>`;
}
