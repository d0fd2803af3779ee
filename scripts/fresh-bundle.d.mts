/** Where the bundles of a checkout are. */
export const bundlesFolder: string;
/** Says which bundle is the newest, and what it was made from. */
export const newestFile: string;
/** Whether there is something to bundle, and the packages that do it. */
export function canBundle(): boolean;
/** The folder of the newest bundle, when everything it was made from is still as it was; else null. */
export function freshBundle(): string | null;
/** A value that differs once a file of the checkout was written, replaced or moved; null when there is none. */
export function sourceStamp(file: string): string | null;
