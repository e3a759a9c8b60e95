/** Runs before a page's own scripts. Records each unexpected layout shift, what it moved, and when fonts were loaded. */
export const RECORD_SHIFTS = `
globalThis.__name ??= (value) => value;
window.layoutShifts = [];
window.fontsAt = [];
document.fonts.addEventListener('loadingdone', () => window.fontsAt.push(performance.now()));
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    if (entry.hadRecentInput) continue;
    const where = entry.sources.map(({ node, previousRect, currentRect }) =>
      (node && (node.outerHTML || node.textContent) || '?').slice(0, 90) +
      [' from y', previousRect.y, 'height', previousRect.height, 'to y', currentRect.y, 'height', currentRect.height].join(' '));
    const when = ['at', Math.round(entry.startTime), 'ms, fonts at', ...window.fontsAt.map(Math.round)].join(' ');
    window.layoutShifts.push({ value: entry.value, where: [...where, when].join('\\n'), at: entry.startTime });
  }
}).observe({ type: 'layout-shift', buffered: true });
`;

/**
 * Every visible or accessible text: of whole elements, of their own text nodes, and of labels. To read all of them takes
 * long, so a page that can't show any of the sought ones yet has none.
 * @param sought exact texts; null for a page that is read in any case
 */
export const readTexts = (sought: readonly string[] | null): string => `((sought) => {
  const labels = ['aria-label', 'title', 'placeholder', 'alt'];
  const tidy = (text) => text.replace(/\\s+/g, ' ').trim();
  const found = new Set([tidy(document.title)]);
  const add = (text) => text && text.length < 1000 && found.add(tidy(text));
  if (sought) {
    const text = tidy(document.body.textContent);
    const labelled = [...document.querySelectorAll(labels.map((name) => '[' + name + ']').join())];
    const isLabel = (one) => labelled.some((element) => labels.some((name) => tidy(element.getAttribute(name) ?? '') === one));
    if (!sought.some((one) => text.includes(one) || found.has(one) || isLabel(one))) return [];
  }
  for (const element of document.body.querySelectorAll('*')) {
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    add(element.textContent);
    for (const name of labels) add(element.getAttribute(name));
    if (element.childElementCount > 0)
      for (const node of element.childNodes) if (node.nodeType === 3) add(node.nodeValue);
    if (element.localName === 'select') for (const option of element.options) add(option.text);
  }
  return [...found];
})(${JSON.stringify(sought)})`;

/** Waits for a promise of the page, at most ten seconds: Chromium may draw no further frame of an unchanged page. */
export const atMost = (promise: string): string =>
  `Promise.race([${promise}, new Promise((resolve) => setTimeout(resolve, 10_000))])`;

/** Resolves when fonts and photos in view are loaded, transitions have ended, and the last frame is on the screen. */
export const STABLE = atMost(`(async () => {
  await document.fonts.ready;
  const inView = [...document.images].filter((image) => {
    const { top, bottom, width } = image.getBoundingClientRect();
    return width > 0 && bottom > 0 && top < innerHeight && !image.complete;
  });
  const loaded = Promise.all(inView.map((image) => new Promise((resolve) => {
    image.addEventListener('load', resolve);
    image.addEventListener('error', resolve);
  })));
  await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, 2000))]);
  const twoFrames = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  // After a change of theme, the colours change with transitions that start at the next frame.
  await twoFrames();
  const ending = document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime < 1000);
  await Promise.allSettled(ending.map(({ finished }) => finished));
  await twoFrames();
})()`);

/** Runs before an act: layout shifts from now on may be its result, however long its answer takes. */
export const MARK_ACT = 'window.actedAt = performance.now()';

export interface Layout {
  /** The sum of unexpected layout shifts before an act, and the place of the largest. */
  shift: number;
  shiftedMost: string;
  /** The same for those since the act. */
  actShift: number;
  /** By how many pixels the page is wider than the screen. */
  tooWide: number;
  /** Texts of the level-1 headings. */
  headings: string[];
}

/** Reads a `Layout`. */
export const READ_LAYOUT = `(() => {
  const shifts = [...window.layoutShifts].sort((a, b) => b.value - a.value);
  const sum = (some) => some.reduce((sum, { value }) => sum + value, 0);
  const ofAct = shifts.filter(({ at }) => at >= (window.actedAt ?? Infinity));
  return {
    shift: sum(shifts) - sum(ofAct),
    actShift: sum(ofAct),
    shiftedMost: shifts[0] ? shifts[0].value.toFixed(3) + ' ' + shifts[0].where : '',
    tooWide: Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth),
    headings: [...document.querySelectorAll('h1')].filter((one) => one.checkVisibility()).map((one) => one.textContent),
  };
})()`;
