import { Autocomplete } from '@base-ui/react/autocomplete';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { useCustomLists } from '../../api/custom-lists.ts';
import { useEnvironment } from '../../api/environment.ts';
import { useGates } from '../../api/gates.ts';
import { useMe, useSignOut } from '../../api/session.ts';
import { useWaves } from '../../api/waves.ts';
import { pages } from '../../pages/all.ts';
import { useBlockDomain } from '../../pages/blocklist/block-domain.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { setTheme } from '../theme.ts';
import { type Command, commandsFor, type ReferenceEntry } from './commands.ts';
import styles from './palette.module.css';

/** Finds pages, gates and actions by name, and actions for a pasted address. */
export function Palette({ onClose, onHelp }: { onClose: () => void; onHelp: () => void }) {
  const [text, setText] = useState('');
  const [, navigate] = useLocation();
  const commands = useCommands(text, onHelp);
  const groups = [...new Set(commands.map(({ group }) => group))];
  const run = (command: Command) => {
    onClose();
    command.run?.();
    if (command.href) navigate(command.href);
  };
  return (
    <Dialog title="Go to, search or run" onClose={onClose}>
      <Autocomplete.Root
        inline
        open
        items={commands}
        mode="none"
        autoHighlight="always"
        value={text}
        onValueChange={(next, { reason }) => {
          if (reason === 'input-change' || reason === 'input-clear') setText(next);
        }}
        itemToStringValue={(command: Command) => command.label}
      >
        <Autocomplete.Input
          className={styles.input}
          aria-label="Page, gate or action; or an address, domain, IP or id"
          placeholder="Enter a name, or paste an address, domain, IP or id"
          autoFocus
        />
        <div className={styles.results}>
          <Autocomplete.Empty className={styles.empty}>No matches.</Autocomplete.Empty>
          <Autocomplete.List className={styles.list}>
            {groups.map((group) => (
              <Autocomplete.Group key={group}>
                <Autocomplete.GroupLabel className={styles.heading}>{group}</Autocomplete.GroupLabel>
                {commands
                  .filter((command) => command.group === group)
                  .map((command) => (
                    <Autocomplete.Item
                      key={command.id}
                      value={command}
                      className={styles.item}
                      onClick={() => run(command)}
                    >
                      <Icon name={command.icon} />
                      <span className={styles.label}>{command.label}</span>
                      {command.hint && <kbd className={styles.hint}>{command.hint}</kbd>}
                    </Autocomplete.Item>
                  ))}
              </Autocomplete.Group>
            ))}
          </Autocomplete.List>
        </div>
      </Autocomplete.Root>
    </Dialog>
  );
}

/** Fetched when the palette first opens. */
const referenceQuery = {
  queryKey: ['reference'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async (): Promise<ReferenceEntry[]> => {
    const response = await fetch('/docs/search.json', { credentials: 'omit' });
    if (!response.ok) throw new Error(`The reference answered ${response.status}`);
    return response.json();
  },
};

function useCommands(text: string, onHelp: () => void): Command[] {
  const environment = useEnvironment();
  const gates = useGates().data;
  const lists = useCustomLists().data;
  const waves = useWaves().data;
  const isOperator = useMe().data?.user.role === 'operator';
  const signOut = useSignOut().mutate;
  const reference = useQuery(referenceQuery).data;
  const block = useBlockDomain().mutate;
  return useMemo(() => {
    const action = (id: string, label: string, rest: Omit<Command, 'id' | 'label' | 'group'>): Command => ({
      id,
      label,
      group: 'Actions',
      ...rest,
    });
    const actions = [
      action('new-key', 'New key…', { icon: 'key', href: `/${environment}/keys?new` }),
      action('add', 'Add domains to the blocklist…', { icon: 'blocklist', href: `/${environment}/blocklist?add` }),
      action('users', 'Users: add, remove or reset a password', {
        icon: 'settings',
        words: 'invite member operator colleague',
        href: `/${environment}/settings`,
      }),
      action('outcomes', 'Report outcomes from a CSV file', {
        icon: 'thumbUp',
        words: 'import upload chargebacks',
        href: `/${environment}/outcomes`,
      }),
      action('log-csv', 'Export the log as CSV', {
        icon: 'log',
        words: 'download spreadsheet',
        href: `/${environment}/log`,
      }),
      action('list', 'New list…', { icon: 'tag', href: `/${environment}/custom-lists?new` }),
      action('light', 'Light theme', { icon: 'sun', run: () => setTheme('light') }),
      action('dark', 'Dark theme', { icon: 'moon', run: () => setTheme('dark') }),
      action('docs', 'API reference and guides', {
        icon: 'right',
        words: 'docs documentation help',
        run: () => location.assign('/docs'),
      }),
      action('keys', 'Show keyboard shortcuts', { icon: 'keyboard', run: onHelp, hint: '?' }),
      action('sign-out', 'Sign out', { icon: 'leave', run: () => signOut(false) }),
    ];
    const shown = pages.filter(({ operatorOnly }) => !operatorOnly || isOperator);
    const found = { gates: gates ?? [], lists: lists ?? [], waves: waves ?? [], reference: reference ?? [] };
    return commandsFor(text, { environment, pages: shown, actions, block, ...found });
  }, [text, environment, gates, lists, waves, isOperator, signOut, onHelp, reference, block]);
}
