import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { type Guide, type Guides, guideGroups } from '../src/reference/guides.ts';
import { Html, html } from '../src/reference/html.ts';
import { codeBlock } from '../src/reference/sample.ts';
import { root } from './test-files.ts';

const names = guideGroups.flatMap((group) => group.names);

/** The guides of the reference as HTML, from docs/. */
export function renderGuides(): Guides {
  return Object.fromEntries(names.map((name) => [name, renderGuide(read(name))]));
}

const read = (name: string): string => readFileSync(join(root, 'docs', `${name}.md`), 'utf8');

const titleOf = (markdown: string): string => /^# (.+)$/m.exec(markdown)?.[1] ?? '';

/** One document as HTML. */
export function renderGuide(markdown: string): Guide {
  const headings: { id: string; text: string }[] = [];
  // Every region needs a distinct label.
  let regions = 0;
  const labelOf = (kind: string): string => {
    regions += 1;
    return `${kind} ${regions}`;
  };
  const marked = new Marked({
    renderer: {
      heading({ depth, text, tokens }: Tokens.Heading): string {
        const plain = text.replaceAll(/[`*]/g, '');
        const id = anchorOf(plain);
        if (depth > 1) headings.push({ id, text: plain });
        const inside = new Html(this.parser.parseInline(tokens));
        const tag = new Html(`h${depth}`);
        return depth === 1
          ? html`<h1>${inside}</h1>`.text
          : html`<${tag} id="${id}"><a href="#${id}">${inside}</a></${tag}>`.text;
      },
      code: ({ text, lang }: Tokens.Code): string =>
        codeBlock(text, labelOf(lang ? `${lang} example` : 'Example')).text,
      table(token: Tokens.Table): string {
        const cells = (row: Tokens.TableCell[], tag: string): string =>
          row
            // An empty heading is no heading.
            .map(({ text, tokens }) => ({ inside: this.parser.parseInline(tokens), name: text === '' ? 'td' : tag }))
            .map(({ inside, name }) => `<${name}>${inside}</${name}>`)
            .join('');
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('');
        return `<div class="wide" tabindex="0" role="region" aria-label="${labelOf('Table')}"><table><thead><tr>${cells(token.header, 'th')}</tr></thead><tbody>${rows}</tbody></table></div>`;
      },
      link({ href, text, tokens }: Tokens.Link): string {
        const target = targetOf(href);
        // A file name is no name for a reader of the pages.
        const [, file = ''] = /^([\w-]+)\.md$/.exec(text) ?? [];
        const inside = names.includes(file) ? html`${titleOf(read(file))}` : new Html(this.parser.parseInline(tokens));
        return target === null ? inside.text : html`<a href="${target}">${inside}</a>`.text;
      },
      // The images show these pages, and the comments are for tests.
      image: () => '',
      html: () => '',
    },
  });
  return { title: titleOf(markdown), html: marked.parse(markdown, { async: false }), headings };
}

/** A link of a document as a link of the reference; null where the reference has no such page. */
function targetOf(href: string): string | null {
  if (/^(#|https:)/.test(href)) return href;
  const [, name = '', anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  return names.includes(name) ? `${name}${anchor}` : null;
}

/** As GitHub makes them, so that links work in both places. */
function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
