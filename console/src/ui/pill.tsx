import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import styles from './pill.module.css';

/** The colours with a meaning; each has an icon and a text too, because some users cannot tell the colours apart. */
export type Tone = 'allow' | 'block' | 'challenge' | 'unknown' | 'shadow' | 'plain';

const icons: Readonly<Record<Tone, IconName | null>> = {
  allow: 'check',
  block: 'barred',
  challenge: 'half',
  unknown: 'ring',
  shadow: 'dashed',
  plain: null,
};

/** A text with a tone. */
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

/** The action of a decision. */
export function ActionPill({ action }: { action: 'allow' | 'block' | 'challenge' }) {
  return <Pill tone={action}>{words[action]}</Pill>;
}

/** The icon of a tone without a background, for rows; only unknown values have the ring. */
export function ToneIcon({ tone, size = 16, icon }: { tone: Tone; size?: number; icon?: IconName }) {
  const name = icon ?? icons[tone] ?? 'dot';
  return (
    <span className={styles.mark} data-tone={tone}>
      <Icon name={name} size={size} />
    </span>
  );
}
