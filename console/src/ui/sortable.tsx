import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Icon } from './icon.tsx';
import styles from './sortable.module.css';

interface Properties {
  /** The accessible name of the list. */
  readonly label: string;
  readonly items: readonly { readonly key: string; readonly name: string }[];
  readonly onMove: (from: number, to: number) => void;
  readonly children: (place: number, grip: ReactNode) => ReactNode;
}

/** A list whose rows move by dragging the grip or with its arrow keys; screen readers announce each move. */
export function Sortable({ label, items, onMove, children }: Properties) {
  const list = useRef<HTMLOListElement>(null);
  const [said, setSaid] = useState('');
  const [dragged, setDragged] = useState<string | null>(null);
  const moved = useRef<string | null>(null);
  const move = (from: number, to: number) => {
    const item = items[from];
    if (item === undefined || to < 0 || to >= items.length || from === to) return;
    moved.current = item.key;
    onMove(from, to);
    setSaid(`${item.name} is now at position ${to + 1} of ${items.length}.`);
  };
  // A row loses the focus when it moves in the document.
  useEffect(() => {
    if (moved.current === null) return;
    list.current?.querySelector<HTMLElement>(`[data-grip="${moved.current}"]`)?.focus();
    moved.current = null;
  });
  const drag = useDrag(list, items, dragged, move, () => setDragged(null));
  return (
    <>
      <ol ref={list} className={styles.list} aria-label={label}>
        {items.map(({ key, name }, place) => (
          <li key={key} className={styles.item} data-dragged={dragged === key || undefined}>
            {children(
              place,
              <button
                type="button"
                className={styles.grip}
                data-grip={key}
                aria-label={`Move ${name}, position ${place + 1} of ${items.length}: arrow keys`}
                onKeyDown={(event: KeyboardEvent) => {
                  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
                  if (step === undefined) return;
                  event.preventDefault();
                  move(place, place + step);
                }}
                onPointerDown={(event: PointerEvent) => {
                  if (event.button !== 0) return;
                  event.preventDefault();
                  drag.begin(place);
                  setDragged(key);
                }}
              >
                <Icon name="grip" />
              </button>,
            )}
          </li>
        ))}
      </ol>
      <p className="visually-hidden" role="status">
        {said}
      </p>
    </>
  );
}

/** Follows the pointer over the rows; Escape returns the row. */
function useDrag(
  list: { readonly current: HTMLOListElement | null },
  items: Properties['items'],
  dragged: string | null,
  move: (from: number, to: number) => void,
  end: () => void,
) {
  const begun = useRef(0);
  useEffect(() => {
    if (dragged === null) return;
    const place = items.findIndex(({ key }) => key === dragged);
    const follow = ({ clientY }: globalThis.PointerEvent) => {
      const rows = [...(list.current?.children ?? [])].map((row) => row.getBoundingClientRect());
      const over = rows.findIndex(({ top, bottom }) => clientY >= top && clientY <= bottom);
      const target = rows[over];
      const own = rows[place];
      if (target === undefined || own === undefined || over === place) return;
      // Past the middle of its neighbour, so that rows of different heights do not swap back and forth.
      const isPast = over > place ? clientY > target.bottom - own.height / 2 : clientY < target.top + own.height / 2;
      if (isPast) move(place, over);
    };
    const cancel = ({ key }: globalThis.KeyboardEvent) => {
      if (key !== 'Escape') return;
      move(place, begun.current);
      end();
    };
    document.addEventListener('pointermove', follow);
    document.addEventListener('pointerup', end);
    document.addEventListener('pointercancel', end);
    document.addEventListener('keydown', cancel);
    return () => {
      document.removeEventListener('pointermove', follow);
      document.removeEventListener('pointerup', end);
      document.removeEventListener('pointercancel', end);
      document.removeEventListener('keydown', cancel);
    };
  });
  return {
    begin: (place: number) => {
      begun.current = place;
    },
  };
}
