import type { Page } from 'playwright-core';

/** The approximate accessible name of the focused element; empty if none has the focus. */
export const focusedName = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return '';
    const label =
      element instanceof HTMLInputElement ||
      element instanceof HTMLSelectElement ||
      element instanceof HTMLTextAreaElement
        ? element.labels?.[0]
        : undefined;
    const named = element.getAttribute('aria-labelledby')?.split(' ')[0] ?? '';
    return (
      element.getAttribute('aria-label') ??
      document.getElementById(named)?.textContent ??
      label?.textContent ??
      element.textContent ??
      ''
    ).trim();
  });

/** Presses Tab until the element has the focus. @throws if it never gets it */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const passed: string[] = [];
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    const here = await focusedName(page);
    if (typeof name === 'string' ? here === name : name.test(here)) return;
    passed.push(here);
  }
  throw new Error(`Tab never reached ${name}, but ${passed.join(' | ')}`);
}

interface Stop {
  /** Whether the walk is over: the focus left the page or returned to its start. */
  isEnd: boolean;
  name: string;
  faults: string[];
}

/** Runs in the page after each Tab. */
function checkStop(): Stop {
  const element = document.activeElement;
  const walk = window as { focusBefore?: Element | null; focusFirst?: Element; focusEnd?: string };
  const isOut = !(element instanceof HTMLElement) || element === document.body || element === walk.focusFirst;
  if (isOut || (walk.focusEnd && element.closest(walk.focusEnd))) return { isEnd: true, name: '', faults: [] };
  walk.focusFirst ??= element;
  const faults: string[] = [];
  const labels =
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
      ? [...(element.labels ?? [])].map((label) => label.textContent)
      : [];
  const pointed = (element.getAttribute('aria-labelledby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent ?? '');
  const name = [element.getAttribute('aria-label') ?? '', ...pointed, ...labels, element.textContent]
    .map((text) => (text ?? '').trim())
    .find((text) => text !== '');
  if (!name) faults.push(`no name: ${element.outerHTML.slice(0, 100)}`);

  // The focus ring and the position may still be animated.
  for (const animation of document.getAnimations())
    if (animation.effect?.getComputedTiming().iterations !== Infinity) animation.finish();
  const style = getComputedStyle(element);
  const hasRing =
    !['none', 'hidden'].includes(style.outlineStyle) &&
    Number.parseFloat(style.outlineWidth) >= 2 &&
    !/, 0\)$|transparent/.test(style.outlineColor);
  if (!hasRing) faults.push('focus is not seen');

  const before = walk.focusBefore;
  const isBackwards =
    before?.isConnected && (before.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) > 0;
  if (isBackwards) faults.push('comes before the stop it follows');
  walk.focusBefore = element;

  const box = element.getBoundingClientRect();
  const points = [0.5, 0.1, 0.9].flatMap((x) =>
    [0.5, 0.2, 0.8].map((y) => [box.left + box.width * x, box.top + box.height * y] as const),
  );
  const isSeen = points.some(([x, y]) => {
    const top = document.elementFromPoint(x, y);
    return top !== null && (element.contains(top) || top.contains(element));
  });
  if (!isSeen) faults.push(`is covered or out of sight (${Math.round(box.left)}, ${Math.round(box.top)})`);
  return { isEnd: false, name: name ?? '', faults };
}

const MAX_STOPS = 150;

/**
 * Walks through a page by Tab from its top. Each stop must have a name and a focus ring, be visible, and follow the
 * order of the page; the walk must leave the page in the end. With `main` it starts at the skip link and ends at the
 * footer, because header and footer are the same on every page.
 * @returns the names of its stops, and a line for each fault
 */
export async function walkFocus(
  page: Page,
  part: 'all' | 'main' = 'all',
): Promise<{ stops: string[]; faults: string[] }> {
  await page.evaluate(
    (focusEnd) => {
      Object.assign(window, { focusBefore: null, focusFirst: undefined, focusEnd });
      scrollTo(0, 0);
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      // The walk begins at the top, whatever was clicked last.
      const top = document.createElement('span');
      top.tabIndex = -1;
      document.body.prepend(top);
      top.focus();
      top.remove();
    },
    part === 'main' && 'footer',
  );
  const stops: string[] = [];
  const faults: string[] = [];
  while (stops.length < MAX_STOPS) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(checkStop);
    if (stop.isEnd) return { stops, faults };
    stops.push(stop.name);
    faults.push(...stop.faults.map((fault) => `${stop.name.slice(0, 40)}: ${fault}`));
    if (part === 'main' && stops.length === 1) await page.keyboard.press('Enter');
  }
  return { stops, faults: [...faults, `the walk never ends: ${stops.slice(-5).join(' | ')}`] };
}
