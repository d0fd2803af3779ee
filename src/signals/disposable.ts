import { known } from '../reading.ts';
import type { Signal } from './signal.ts';

/** The domain, or a parent of it, belongs to a disposable email service. */
export const disposable: Signal<boolean> = {
  name: 'disposable',
  summary: 'The domain, or a parent of it, belongs to a disposable email service',
  read: ({ domain }, { lists }) =>
    known(lists.isDisposable(domain.ascii), () => lists.explain('disposable', domain.ascii)),
};
