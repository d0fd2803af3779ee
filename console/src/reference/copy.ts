import { element } from './elements.ts';

const shownMs = 1_500;

/** Adds a copy button to every block of code. Over plain HTTP a page has no clipboard: then the button selects the text. */
export function addCopyButtons(): void {
  for (const block of document.querySelectorAll<HTMLElement>('.code')) {
    const code = block.querySelector('code');
    const label = block.querySelector('pre')?.getAttribute('aria-label') ?? 'the code';
    if (code === null) continue;
    const button = element('button', { type: 'button', className: 'copy', ariaLabel: `Copy: ${label}` }, 'Copy');
    button.addEventListener('click', () => void copy(code, button));
    block.append(button);
  }
}

async function copy(code: HTMLElement, button: HTMLElement): Promise<void> {
  getSelection()?.selectAllChildren(code);
  if (navigator.clipboard) await navigator.clipboard.writeText(code.textContent ?? '');
  button.textContent = navigator.clipboard ? 'Copied' : 'Press Ctrl C';
  setTimeout(() => {
    button.textContent = 'Copy';
  }, shownMs);
}
