/** A hash of everything the build of the console reads. */
export function consoleStamp(): string;
export function hashOf(folders: readonly string[], others?: readonly string[]): string;
/** Whether `console/dist` was made from what is there now. */
export function isConsoleBuilt(): boolean;
/** Whether this is a checkout, which has what the console is built from. */
export function canBuildConsole(): boolean;
