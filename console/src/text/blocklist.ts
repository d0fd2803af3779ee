import { counted } from './numbers.ts';

/** The result of an import: “2 domains added, 1 reason changed”. */
export function importedText(added: number, changed: number): string {
  const reasons = `${counted(changed, 'reason')} changed`;
  if (added === 0 && changed > 0) return reasons;
  return `${counted(added, 'domain')} added${changed === 0 ? '' : `, ${reasons}`}`;
}

/** The button that imports: “Add 2 domains, change 1 reason”. */
export function importLabel(added: number, changed: number): string {
  const reasons = counted(changed, 'reason');
  if (added === 0 && changed > 0) return `Change ${reasons}`;
  return `Add ${counted(added, 'domain')}${changed === 0 ? '' : `, change ${reasons}`}`;
}
