/** One thing that was checked; `fix` says what to do about a problem. */
export interface Finding {
  readonly level: 'ok' | 'warning' | 'error';
  readonly area: string;
  readonly text: string;
  readonly fix?: string;
}

export const ok = (area: string, text: string): Finding => ({ level: 'ok', area, text });
export const warning = (area: string, text: string, fix: string): Finding => ({ level: 'warning', area, text, fix });
export const error = (area: string, text: string, fix: string): Finding => ({ level: 'error', area, text, fix });
