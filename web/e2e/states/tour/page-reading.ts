/** Before a page's own scripts: notes each layout shift that no input brought about, what it moved, and when fonts came. */
export const NOTE_SHIFTS = `
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

/** Every text that a person or a screen reader finds: of whole elements, of their own words, and of labels. */
export const READ_TEXTS = `(() => {
  const tidy = (text) => text.replace(/\\s+/g, ' ').trim();
  const found = new Set([tidy(document.title)]);
  const add = (text) => text && text.length < 1000 && found.add(tidy(text));
  for (const element of document.body.querySelectorAll('*')) {
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    add(element.textContent);
    for (const name of ['aria-label', 'title', 'placeholder', 'alt']) add(element.getAttribute(name));
    if (element.childElementCount > 0)
      for (const node of element.childNodes) if (node.nodeType === 3) add(node.nodeValue);
    if (element.localName === 'select') for (const option of element.options) add(option.text);
  }
  return [...found];
})()`;

/** A promise of the page, or ten seconds: Chromium may draw no frame more of a page on which nothing changes. */
export const atMost = (promise: string): string =>
  `Promise.race([${promise}, new Promise((resolve) => setTimeout(resolve, 10_000))])`;

/** Resolves when fonts and photos in view are loaded, transitions have ended, and the last frame is on the screen. */
export const SETTLED = atMost(`(async () => {
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
  // After a change of theme, colours are half-way from the next frame until their transitions end.
  await twoFrames();
  const ending = document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime < 1000);
  await Promise.allSettled(ending.map(({ finished }) => finished));
  await twoFrames();
})()`);

/** Before an act: what moves from now on may be what it brings about, however long its answer takes. */
export const NOTE_ACT = 'window.actedAt = performance.now()';

export interface Layout {
  /** Sum of all layout shifts without input before an act, and where the largest was. */
  shift: number;
  shiftedMost: string;
  /** The same of those since the act. */
  actShift: number;
  /** How many pixels the page is wider than the screen. */
  tooWide: number;
  /** Texts of the level-1 headings. */
  headings: string[];
}

/** Gives a `Layout`. */
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
