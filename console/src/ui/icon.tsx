import styles from './icon.module.css';

/** Outlines on a 16 by 16 grid, in the colour of the surrounding text. */
const outlines = {
  check: 'M3.5 8.5l3 3 6-7',
  barred: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM3.8 3.8l8.4 8.4',
  half: '',
  ring: 'M8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3z',
  dashed:
    'M6 2.4a6 6 0 0 1 4 0M13 5a6 6 0 0 1 .9 3.6M12 12.4a6 6 0 0 1-3.2 1.5M5 13.2a6 6 0 0 1-2.6-2.8M2 7.6A6 6 0 0 1 3.6 4',
  dot: 'M8 8h.01',
  cross: 'M4 4l8 8M12 4l-8 8',
  plus: 'M8 3v10M3 8h10',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.4 10.4L14 14',
  overview: 'M2.5 13.5v-5M6.2 13.5v-11M9.8 13.5v-7M13.5 13.5v-9',
  lookup:
    'M2 4.5A1.5 1.5 0 0 1 3.5 3h9A1.5 1.5 0 0 1 14 4.5v7a1.5 1.5 0 0 1-1.5 1.5h-9A1.5 1.5 0 0 1 2 11.5zM2.5 4.5L8 9l5.5-4.5',
  gates: 'M3 14V3M13 14V3M3 5.5h10M3 9.5h10M8 5.5v8.5',
  log: 'M5.5 4H14M5.5 8H14M5.5 12H14M2.5 4h.01M2.5 8h.01M2.5 12h.01',
  blocklist: 'M8 1.8l5.2 2v4c0 3.2-2.2 5.4-5.2 6.4-3-1-5.2-3.2-5.2-6.4v-4zM5.8 7.8h4.4',
  waves:
    'M1.500 6c1.600-2 3.200-2 4.900 0s3.300 2 4.900 0 2.200-1.600 3.200-1M1.500 11c1.600-2 3.200-2 4.900 0s3.300 2 4.900 0 2.200-1.600 3.200-1',
  key: 'M5 7.5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM7.2 8.3L13.5 2M10.5 5l2 2',
  webhooks:
    'M3 13a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM13 13a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM8 5.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM7 5.300L4 9.200M9 5.300l3 3.900M5 11h6',
  tag: 'M2.500 2.500h5l6 6-5 5-6-6zM5.200 5.200h.01',
  lists: 'M8 2l6 3-6 3-6-3zM2 8l6 3 6-3M2 11l6 3 6-3',
  settings:
    'M2.5 4.5h6M12 4.5h1.5M2.5 11.5H4M7.5 11.5h6M10.2 3a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zM5.8 10a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3z',
  down: 'M4 6l4 4 4-4',
  right: 'M6 4l4 4-4 4',
  up: 'M4 10l4-4 4 4',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  menu: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  sun: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7',
  moon: 'M13.2 9.8A5.7 5.7 0 0 1 6.2 2.8a5.7 5.7 0 1 0 7 7z',
  screen: 'M2 3h12v8H2zM6 14h4M8 11v3',
  refresh: 'M13.5 8a5.5 5.5 0 1 1-1.6-3.9M13.5 2v3h-3',
  undo: 'M3 6.5h6.5a3.5 3.5 0 0 1 0 7H6M5.5 3.5l-3 3 3 3',
  upload: 'M8 10.5v-8M4.8 5.5L8 2.3l3.2 3.2M2.5 11v2.5h11V11',
  download: 'M8 2.5v8M4.8 7.5L8 10.7l3.2-3.2M2.5 11v2.5h11V11',
  warning: 'M8 2l6.5 11.5h-13zM8 6.5v3.2M8 11.6h.01',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  grip: 'M6 4h.01M10 4h.01M6 8h.01M10 8h.01M6 12h.01M10 12h.01',
  user: 'M8 2.5a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4zM2.8 13.5c.5-2.6 2.6-4 5.2-4s4.7 1.4 5.2 4',
  leave: 'M6.5 13.5h-4v-11h4M10 5l3 3-3 3M13 8H6',
  trash: 'M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.6 9h6.8l.6-9M6.8 7v4M9.2 7v4',
  keyboard: 'M1.5 4h13v8h-13zM4 6.5h.01M6.7 6.5h.01M9.3 6.5h.01M12 6.5h.01M5 9.5h6',
  flag: 'M4 14.5V1.500M4 2.500h9l-2.5 3.250L13 9H4',
  thumbUp: 'M5 7.5v6H2.500v-6zM5 7.5l2.500-5.500c1.200 0 2 .9 1.800 2L8.800 6.500h4.700l-1 7H5',
  thumbDown: 'M5 8.5v-6H2.500v6zM5 8.5l2.500 5.500c1.200 0 2-.9 1.800-2L8.800 9.500h4.700l-1-7H5',
  external: 'M9.5 2.5h4v4M13.5 2.5l-6 6M11.5 9v4.5h-9v-9H7',
} as const;

/** The name of an icon. */
export type IconName = keyof typeof outlines;

/** A decorative icon beside a text: it never conveys meaning alone. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  const isDots = name === 'more' || name === 'grip' || name === 'dot';
  return (
    <svg
      className={styles.icon}
      viewBox="0 0 16 16"
      width={size}
      height={size}
      aria-hidden="true"
      data-bold={isDots || undefined}
    >
      {name === 'half' ? <HalfCircle /> : <path d={outlines[name]} />}
    </svg>
  );
}

function HalfCircle() {
  return (
    <>
      <circle cx="8" cy="8" r="6" />
      <path className={styles.filled} d="M8 2a6 6 0 0 1 0 12z" />
    </>
  );
}
