import { isDisposableAddress } from '../signals/address/disposable-address.ts';
import type { ListSource } from '../signals/sources.ts';
import { addressSubject } from '../signals/subject.ts';

/** Facts about an address that a form can show before it is sent. */
export interface Hint {
  readonly valid: boolean;
  /** The whole corrected address. */
  readonly didYouMean: string | null;
  /** Null when it is unknown or not shown. */
  readonly disposable: boolean | null;
}

const invalid: Hint = { valid: false, didYouMean: null, disposable: null };

/** Reads a hint about an address from lists in memory. */
export function readHint(email: string, lists: ListSource, showsDisposable: boolean): Hint {
  const subject = addressSubject(email);
  if (subject === null || subject.address === null) return invalid;
  const { domain, address } = subject;
  const suggestion = lists.suggest(domain.ascii);
  return {
    valid: true,
    didYouMean: suggestion && `${address.localPart}@${suggestion}`,
    disposable: showsDisposable
      ? lists.isListed('disposable', domain.ascii) || isDisposableAddress(address, lists)
      : null,
  };
}
