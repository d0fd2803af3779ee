import { byId, element } from './elements.ts';

/** As `/docs/search.json` has it. */
interface Entry {
  readonly title: string;
  readonly hint: string;
  readonly href: string;
  readonly words: string;
}

const maxResults = 12;

/** Finds calls by name, route and field, and guides by heading. The index is fetched when the reader first searches. */
export function startSearch(root: URL): void {
  const input = byId('search', HTMLInputElement);
  const list = byId('results', HTMLElement);
  let index: Promise<readonly Entry[]> | null = null;
  byId('search-box', HTMLElement).hidden = false;

  const links = (): HTMLElement[] => [...list.querySelectorAll<HTMLElement>('[role=option]')];
  const select = (position: number): void => {
    const options = links();
    const wanted = options[(position + options.length) % options.length];
    for (const option of options) option.ariaSelected = String(option === wanted);
    input.setAttribute('aria-activedescendant', wanted?.id ?? '');
    wanted?.scrollIntoView({ block: 'nearest' });
  };
  const close = (): void => {
    list.hidden = true;
    input.ariaExpanded = 'false';
  };
  const show = async (): Promise<void> => {
    index ??= load(root);
    const text = input.value;
    const found = text.trim() === '' ? [] : matches(await index, text);
    if (text !== input.value) return;
    list.replaceChildren(...found.map((entry, position) => option(entry, position, root)));
    if (found.length === 0 && text.trim() !== '') list.append(element('p', { className: 'none' }, 'No matches.'));
    list.hidden = text.trim() === '';
    input.ariaExpanded = String(!list.hidden);
    if (found.length > 0) select(0);
  };
  const current = (): number => links().findIndex((one) => one.ariaSelected === 'true');
  input.addEventListener('input', () => void show());
  input.addEventListener('focus', () => void show());
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') select(current() + 1);
    else if (event.key === 'ArrowUp') select(current() - 1);
    else if (event.key === 'Enter') links()[current()]?.click();
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
  });
  list.addEventListener('click', close);
  document.addEventListener('click', (event) => {
    if (event.target instanceof Node && !byId('search-box', HTMLElement).contains(event.target)) close();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
}

async function load(root: URL): Promise<readonly Entry[]> {
  const response = await fetch(new URL('docs/search.json', root), { credentials: 'omit' });
  return response.ok ? response.json() : [];
}

/** Entries with every word; those with it in their title come first. */
function matches(entries: readonly Entry[], text: string): Entry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (where: string): boolean => words.every((word) => where.toLowerCase().includes(word));
  const rank = ({ title, hint, words: more }: Entry): number => {
    if (has(title)) return 0;
    if (has(`${title} ${hint}`)) return 1;
    return has(`${title} ${hint} ${more}`) ? 2 : 3;
  };
  return entries
    .map((entry) => ({ entry, rank: rank(entry) }))
    .filter(({ rank: one }) => one < 3)
    .sort((one, other) => one.rank - other.rank)
    .slice(0, maxResults)
    .map(({ entry }) => entry);
}

function option({ title, hint, href }: Entry, position: number, root: URL): HTMLAnchorElement {
  const link = element('a', { href: new URL(href, root).href, tabIndex: -1 }, title, ' ', element('span', {}, hint));
  return Object.assign(link, { id: `result-${position}`, role: 'option' });
}
