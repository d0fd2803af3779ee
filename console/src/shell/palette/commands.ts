import { languageNames } from '../../../../snippets/language-names.ts';
import { type Environment, environments } from '../../api/environment.ts';
import type { PageEntry } from '../../pages/all.ts';
import { kindOfSubject } from '../../text/subjects.ts';
import type { IconName } from '../../ui/icon.tsx';

/** A command of the palette: a link or a function. */
export interface Command {
  readonly id: string;
  readonly label: string;
  readonly group: string;
  readonly icon: IconName;
  /** Other words that find it: names that people use for it. */
  readonly words?: string;
  /** Shown on the right: a shortcut or an environment. */
  readonly hint?: string;
  readonly href?: string;
  readonly run?: () => void;
}

/** The pages, objects and actions that the palette offers. */
export interface PaletteWorld {
  readonly environment: Environment;
  readonly pages: readonly PageEntry[];
  readonly gates: readonly { readonly id: string; readonly name: string }[];
  /** The custom lists. */
  readonly lists: readonly { readonly id: string; readonly name: string }[];
  /** The newest waves. */
  readonly waves: readonly { readonly id: string; readonly value: string }[];
  readonly actions: readonly Command[];
  /** The searchable entries of the reference at /docs. */
  readonly reference: readonly ReferenceEntry[];
  /** Adds a domain to the blocklist of the environment. */
  readonly block: (domain: string) => void;
}

/** A call or a heading of a guide, as `/docs/search.json` has it. */
export interface ReferenceEntry {
  readonly title: string;
  readonly hint: string;
  /** From the root of the service. */
  readonly href: string;
}

/** The reference has more entries than everything else together. */
const maxReferences = 8;

/** The commands for a text: first actions for a pasted address, then pages, gates and actions whose name contains it. */
export function commandsFor(text: string, world: PaletteWorld): Command[] {
  const typed = text.trim();
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const named = [
    ...pageCommands(world),
    ...gateCommands(world),
    ...listCommands(world),
    ...waveCommands(words, world),
    ...codeCommands(words, world),
    ...world.actions,
    ...switchCommands(world),
  ];
  const isNamed = ({ label, group, words: others = '' }: Command) =>
    words.every((word) => `${group} ${label} ${others}`.toLowerCase().includes(word));
  return [...subjectCommands(typed, world), ...named.filter(isNamed), ...referenceCommands(words, world)];
}

function subjectCommands(typed: string, { environment, pages, block }: PaletteWorld): Command[] {
  const kind = kindOfSubject(typed);
  const q = encodeURIComponent(typed);
  const domain = typed.split('@').at(-1) ?? '';
  const has = (icon: IconName) => pages.some((page) => page.icon === icon);
  const commands: (Command | false)[] = [
    kind === 'decision' && command('open', `Open decision ${typed}`, 'log', `/${environment}/log/${q}`),
    kind === 'email' && command('person', `Everything about ${typed}`, 'log', `/${environment}/log/person/${q}`),
    (kind === 'email' || kind === 'domain') &&
      command('look-up', `Look up ${typed}`, 'lookup', `/${environment}/lookup?q=${q}`),
    kind !== null && command('find', `Find ${typed} in the log`, 'log', `/${environment}/log?q=${q}`),
    kind === 'domain' && command('allowed', `Who let ${typed} in`, 'log', `/${environment}/log?q=${q}&action=allow`),
    (kind === 'email' || kind === 'domain') && {
      id: 'block',
      label: `Block ${domain} in ${environment}`,
      group: pasted,
      icon: 'blocklist',
      run: () => block(domain),
    },
  ];
  return commands.filter((one) => one !== false).filter(({ icon }) => has(icon));
}

function referenceCommands(words: readonly string[], { reference }: PaletteWorld): Command[] {
  if (words.length === 0) return [];
  return reference
    .filter(({ title, hint }) => words.every((word) => `reference ${title} ${hint}`.toLowerCase().includes(word)))
    .slice(0, maxReferences)
    .map(({ title, hint, href }) => ({
      id: `reference ${href}`,
      label: title,
      group: 'Reference',
      icon: 'right',
      // The whole route would leave no room for the label.
      hint: /^[A-Z]+(?= \/)/.exec(hint)?.[0] ?? 'Guide',
      run: () => location.assign(`/${href}`),
    }));
}

const pasted = 'Pasted text';

const command = (id: string, label: string, icon: IconName, href: string): Command => ({
  id,
  label,
  icon,
  href,
  group: pasted,
});

const pageCommands = ({ environment, pages }: PaletteWorld): Command[] =>
  pages.map(({ path, title, icon, letter }) => ({
    id: `page ${path}`,
    label: title,
    group: 'Pages',
    icon,
    hint: `g ${letter}`,
    href: `/${environment}/${path}`,
  }));

const gateCommands = ({ environment, gates }: PaletteWorld): Command[] =>
  gates.map(({ id, name }) => ({
    id: `gate ${id}`,
    label: name,
    group: 'Gates',
    icon: 'gates',
    href: `/${environment}/gates/${id}`,
  }));

const listCommands = ({ environment, lists }: PaletteWorld): Command[] =>
  lists.map(({ id, name }) => ({
    id: `list ${id}`,
    label: name,
    group: 'Your lists',
    icon: 'tag',
    href: `/${environment}/custom-lists/${id}`,
  }));

/** The waves whose value has a typed word; the word “waves” alone means the page. */
const waveCommands = (words: readonly string[], { environment, waves }: PaletteWorld): Command[] =>
  waves
    .filter(({ value }) => words.some((word) => value.toLowerCase().includes(word)))
    .map(({ id, value }) => ({
      id: `wave ${id}`,
      label: value,
      group: 'Waves',
      icon: 'waves',
      href: `/${environment}/waves/${id}`,
    }));

/** The code that calls a gate, once a language is typed. */
const codeCommands = (words: readonly string[], { environment, gates }: PaletteWorld): Command[] =>
  languageNames
    .filter((language) => words.some((word) => word.length > 1 && language.toLowerCase().startsWith(word)))
    .flatMap((language) =>
      gates.map(({ id, name }) => ({
        id: `code ${language} ${id}`,
        label: `Call ${name} from ${language}`,
        group: 'Code',
        icon: 'gates',
        href: `/${environment}/gates/${id}/use-it?language=${language}`,
      })),
    );

const switchCommands = ({ environment }: PaletteWorld): Command[] =>
  environments
    .filter((name) => name !== environment)
    .map((name) => ({
      id: `environment ${name}`,
      label: `Switch to ${name}`,
      group: 'Environment',
      icon: 'right',
      href: `/${name}/overview`,
    }));
