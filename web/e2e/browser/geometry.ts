import type { Page } from 'playwright-core';

/**
 * Runs in the page. Only the visible part of a text counts: clipped by its ancestors, and nothing of hidden texts.
 * @returns a line for each fault
 */
function findLayoutFaults(): string[] {
  const faults: string[] = [];
  // Cards that are out of sight are checked, too, which are not drawn otherwise.
  const allDrawn = new CSSStyleSheet();
  allDrawn.replaceSync('* { content-visibility: visible !important }');
  document.adoptedStyleSheets.push(allDrawn);
  const width = document.documentElement.clientWidth;
  interface Box {
    left: number;
    right: number;
    top: number;
    bottom: number;
  }
  const name = (node: Node | null) => {
    const element = node instanceof Element ? node : node?.parentElement;
    return `<${element?.tagName.toLowerCase()}> "${(node?.textContent ?? '').trim().slice(0, 40)}"`;
  };
  const isEmpty = (box: Box) => box.right - box.left < 1 || box.bottom - box.top < 1;
  const cut = (a: Box, b: Box): Box => ({
    left: Math.max(a.left, b.left),
    right: Math.min(a.right, b.right),
    top: Math.max(a.top, b.top),
    bottom: Math.min(a.bottom, b.bottom),
  });
  const isPainted = (style: CSSStyleDeclaration) =>
    Number.parseFloat(style.borderTopWidth) + Number.parseFloat(style.borderLeftWidth) > 0 ||
    !/^(rgba\(0, 0, 0, 0\)|transparent)$/.test(style.backgroundColor);

  if (document.documentElement.scrollWidth > width) {
    const wide = [...document.querySelectorAll('body *')].filter(
      (one) => one.getBoundingClientRect().right > width + 1,
    );
    faults.push(`the page is ${document.documentElement.scrollWidth} wide: ${wide.slice(0, 3).map(name).join(', ')}`);
  }

  const seen: { node: Text; box: Box }[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!(node instanceof Text) || !node.data.trim() || !parent?.checkVisibility({ opacityProperty: true })) continue;
    if (parent.closest('script, style, noscript, option, select, svg')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    let isFloating = false;
    for (const rect of range.getClientRects()) {
      let box: Box = { left: rect.left, right: rect.right, top: rect.top, bottom: rect.bottom };
      const holders: Element[] = [];
      for (let holder: Element | null = parent; holder && holder !== document.body; holder = holder.parentElement) {
        const style = getComputedStyle(holder);
        const around = holder.getBoundingClientRect();
        if (['fixed', 'sticky', 'absolute'].includes(style.position)) isFloating = true;
        if (style.display !== 'inline' && style.overflow !== 'visible') box = cut(box, around);
        if (style.clipPath !== 'none' || (around.width <= 1 && around.height <= 1)) box = { ...box, right: box.left };
        if (style.display !== 'inline' && isPainted(style)) holders.push(holder);
        // A floating element is measured by its own box, not by that of its opener.
        if (['fixed', 'absolute'].includes(style.position)) break;
      }
      if (isEmpty(box)) continue;
      if (box.left < -1 || box.right > width + 1) faults.push(`outside the page: ${name(node)}`);
      for (const holder of holders) {
        const around = holder.getBoundingClientRect();
        const isOutside =
          box.left < around.left - 1.5 ||
          box.right > around.right + 1.5 ||
          box.top < around.top - 4 ||
          box.bottom > around.bottom + 4;
        if (isOutside) faults.push(`outside its ${name(holder).split(' ')[0]}: ${name(node)}`);
      }
      // Floating elements may cover the page.
      if (!isFloating) seen.push({ node, box });
    }
  }
  for (const [index, one] of seen.entries()) {
    for (const other of seen.slice(index + 1)) {
      if (other.node === one.node) continue;
      const both = cut(one.box, other.box);
      // The boxes of tightly set lines may touch although their letters don't.
      const height = Math.min(one.box.bottom - one.box.top, other.box.bottom - other.box.top);
      if (both.right - both.left > 2 && both.bottom - both.top > height * 0.4)
        faults.push(`one over the other: ${name(one.node)} and ${name(other.node)}`);
    }
  }
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== allDrawn);
  return [...new Set(faults)];
}

/** Lists elements that overflow the page, their card, button or bar, and texts that overlap. */
export const layoutFaults = (page: Page): Promise<string[]> => page.evaluate(findLayoutFaults);

/** Waits until a page has its heading, and everything on it is loaded and no longer animated. */
export async function waitUntilStill(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForFunction(() => {
    const statuses = [...document.querySelectorAll('[role=status]')];
    const isLoading = statuses.some((one) => /^Loading/.test(one.getAttribute('aria-label') ?? one.textContent ?? ''));
    return !isLoading && document.querySelector('[aria-busy=true]') === null;
  });
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}
