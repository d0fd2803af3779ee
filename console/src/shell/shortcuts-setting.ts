const key = 'signalpost.shortcuts';

/** Whether single keys are shortcuts in this browser. */
export const areShortcutsOn = (): boolean => localStorage.getItem(key) !== 'off';

/** Turns them on or off. */
export function setShortcutsOn(isOn: boolean): void {
  if (isOn) localStorage.removeItem(key);
  else localStorage.setItem(key, 'off');
}
