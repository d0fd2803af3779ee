import type { Page } from 'playwright-core';

/** Phones, tablets, the widths around each change of layout, laptops at 100 % and at 200 % zoom, and large screens. */
export const widths = [320, 360, 390, 480, 600, 641, 700, 768, 861, 900, 1024, 1180, 1440, 1920, 2560] as const;

/** What is wrong with the page's layout as it is: a horizontal scroll, a squeezed text or text area, or two texts over each other. */
export async function layoutFaults(page: Page): Promise<string[]> {
  return (await page.evaluate(inPage)) as string[];
}

// A text, because the tests are checked without the types of the DOM.
const inPage = `(() => {
  const faults = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) faults.push('the page is ' + (root.scrollWidth - root.clientWidth) + ' px too wide');
  const texts = [];
  const frames = new Map();
  const nowhere = { clip: { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity }, floats: false };
  const frameOf = (one) => {
    if (!one || one === root) return nowhere;
    const known = frames.get(one);
    if (known) return known;
    const { clip, floats } = frameOf(one.parentElement);
    const style = getComputedStyle(one);
    const box = one.getBoundingClientRect();
    const frame = {
      floats: floats || style.position === 'fixed' || style.position === 'sticky',
      clip: style.overflowX === 'visible' ? clip : { left: Math.max(clip.left, box.left), top: Math.max(clip.top, box.top), right: Math.min(clip.right, box.right), bottom: Math.min(clip.bottom, box.bottom) },
    };
    frames.set(one, frame);
    return frame;
  };
  const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const text = node.data.trim();
    const parent = node.parentElement;
    if (text === '' || !parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (parent.closest('.visually-hidden, option, [inert], details:not([open]) > :not(summary)')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()];
    const lines = new Set(rects.map(({ top }) => Math.round(top))).size;
    const widest = Math.max(0, ...rects.map(({ width }) => width));
    const size = parseFloat(getComputedStyle(parent).fontSize);
    const box = range.getBoundingClientRect();
    const { clip, floats } = frameOf(parent);
    const shown = { text, parent, left: Math.max(box.left, clip.left), top: Math.max(box.top, clip.top), right: Math.min(box.right, clip.right), bottom: Math.min(box.bottom, clip.bottom) };
    if (shown.right - shown.left <= 1 || shown.bottom - shown.top <= 1) continue;
    // One word may be a line; four lines of two or three letters are not a layout.
    if (text.length >= 8 && lines >= 4 && widest < 4 * size) faults.push('squeezed: ' + text.slice(0, 40));
    if (!floats) texts.push(shown);
    if (!floats && shown.right > root.clientWidth + 1) faults.push('outside the window: ' + text.slice(0, 40));
  }
  for (const area of document.querySelectorAll('dialog[open] textarea')) {
    const dialog = area.closest('dialog');
    if (area.clientWidth < dialog.clientWidth / 2) faults.push('narrow text area: ' + area.clientWidth + ' of ' + dialog.clientWidth + ' px');
  }
  texts.sort((a, b) => a.top - b.top);
  texts.forEach((one, index) => {
    for (let at = index + 1; at < texts.length && texts[at].top < one.bottom - 3; at += 1) {
      const other = texts[at];
      const isInline = one.parent.contains(other.parent) || other.parent.contains(one.parent);
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      // Texts of one paragraph share lines: their boxes, not their letters, lie over each other.
      if (isInline || one.parent.closest('p, li, td, dd, button') === other.parent.closest('p, li, td, dd, button')) continue;
      if (wide > 3 && high > 3) faults.push('overlap: ' + one.text.slice(0, 30) + ' | ' + other.text.slice(0, 30));
    }
  });
  return [...new Set(faults)].slice(0, 5);
})()`;
