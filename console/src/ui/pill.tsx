import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import styles from './pill.module.css';

/** The colours that mean something; each comes with an icon and a word, because colours alone look alike to some. */
export type Tone = 'allow' | 'block' | 'challenge' | 'unknown' | 'shadow' | 'plain';

const icons: Readonly<Record<Tone, IconName | null>> = {
  allow: 'check',
  block: 'barred',
  challenge: 'half',
  unknown: 'ring',
  shadow: 'dashed',
  plain: null,
};

/** A word with a tone. */
export function Pill({ tone, children, icon }: { tone: Tone; children: ReactNode; icon?: IconName }) {
  const shown = icon ?? icons[tone];
  return (
    <span className={styles.pill} data-tone={tone}>
      {shown && <Icon name={shown} size={14} />}
      {children}
    </span>
  );
}

const words = { allow: 'allow', block: 'block', challenge: 'challenge' } as const;

/** What a gate said. */
export function ActionPill({ action }: { action: 'allow' | 'block' | 'challenge' }) {
  return <Pill tone={action}>{words[action]}</Pill>;
}

/** The icon of a tone without a ground, for lists in which each row has one; the ring is for the unknown alone. */
export function ToneIcon({ tone, size = 16, icon }: { tone: Tone; size?: number; icon?: IconName }) {
  const name = icon ?? icons[tone] ?? 'dot';
  return (
    <span className={styles.mark} data-tone={tone}>
      <Icon name={name} size={size} />
    </span>
  );
}
