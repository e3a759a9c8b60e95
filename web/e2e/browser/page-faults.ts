import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { layoutFaults } from './geometry.ts';

/** Runs in the page. Checks parts of its outline that axe does not check. */
function findOutlineFaults(): string[] {
  const faults: string[] = [];
  const shown = (selector: string) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
  for (const [selector, expected] of Object.entries({ h1: 1, main: 1, 'body header': 1, 'body footer': 1 })) {
    const found = shown(selector).filter((one) => selector === 'h1' || !one.closest('article, section > section'));
    if (found.length !== expected) faults.push(`${found.length} of ${selector}`);
  }
  const names = shown('nav, [role=navigation]').map((nav) => nav.getAttribute('aria-label') ?? '');
  if (names.includes('') || new Set(names).size !== names.length) faults.push(`navigations named ${names.join(', ')}`);
  for (const image of shown('img'))
    if (!image.hasAttribute('alt')) faults.push(`no alt: ${image.outerHTML.slice(0, 80)}`);
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href]')) {
    const isOurs = new URL(link.href).origin === location.origin;
    const protocol = new URL(link.href).protocol;
    if (!['http:', 'https:', 'mailto:', 'tel:'].includes(protocol)) faults.push(`a link to ${link.href.slice(0, 40)}`);
    if (link.target === '_blank' && !link.relList.contains('noopener') && !isOurs)
      faults.push(`no noopener: ${link.href}`);
  }
  for (const script of document.scripts)
    if (!script.src && !['application/json', 'application/ld+json'].includes(script.type))
      faults.push('an inline script');
  for (const element of document.querySelectorAll('*'))
    for (const { name } of element.attributes) if (name.startsWith('on')) faults.push(`an inline ${name}`);
  if (!document.title.includes('LotWatch')) faults.push(`titled ${document.title}`);
  if (!document.documentElement.lang) faults.push('no language');
  return faults;
}

/** Checks landmarks, the level-1 heading, names of navigations, texts of images, and unsafe links and scripts. */
export const outlineFaults = (page: Page): Promise<string[]> => page.evaluate(findOutlineFaults);

/** Lists what moves although reduced motion is set. Fading and colours do not count. */
export const motionFaults = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    document.getAnimations().flatMap((animation) => {
      const { effect } = animation;
      if (!(effect instanceof KeyframeEffect)) return [];
      const moved = effect
        .getKeyframes()
        .flatMap((frame) => Object.keys(frame))
        .filter((name) => /transform|translate|scale|rotate|left|top|right|bottom|width|height|margin/i.test(name));
      const { duration } = effect.getComputedTiming();
      return moved.length > 0 && Number(duration) > 1
        ? [`${effect.target?.outerHTML.slice(0, 80)} moves its ${moved[0]} for ${String(duration)} ms`]
        : [];
    }),
  );

/** Lists texts that are cut off with the spacing of WCAG 1.4.12. */
export async function spacingFaults(page: Page): Promise<string[]> {
  // The policy refuses inline styles.
  const sheet = await page.evaluateHandle(
    (css) => {
      const spacing = new CSSStyleSheet();
      spacing.replaceSync(css);
      document.adoptedStyleSheets.push(spacing);
      return spacing;
    },
    `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
      p { margin-bottom: 2em !important }`,
  );
  const faults = await layoutFaults(page);
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll('a, button, label, h1, h2, h3, p, li, td, th, [role=tab]')]
      .filter((one) => one.checkVisibility() && ['hidden', 'clip'].includes(getComputedStyle(one).overflowX))
      .filter((one) => one.scrollWidth > one.clientWidth + 2 || one.scrollHeight > one.clientHeight + 2)
      .filter((one) => one.clientWidth > 2 && getComputedStyle(one).webkitLineClamp === 'none')
      .map((one) => `cut: ${one.outerHTML.slice(0, 80)}`),
  );
  await sheet.evaluate((spacing) => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== spacing);
  });
  return [...faults, ...cut];
}

/** Lists controls that have neither a border nor a background in forced colours. */
export async function forcedColourFaults(page: Page): Promise<string[]> {
  await page.emulateMedia({ forcedColors: 'active' });
  const faults = await page.evaluate(() => {
    const canvas = getComputedStyle(document.body).backgroundColor;
    return [...document.querySelectorAll('input, select, textarea, button, [role=switch], [role=tab]')]
      .filter((one) => one.checkVisibility() && !one.closest('[aria-hidden=true]'))
      .flatMap((one) => {
        const style = getComputedStyle(one);
        const name = one.getAttribute('aria-label') ?? one.textContent?.trim() ?? '';
        const hasEdge = style.borderTopStyle !== 'none' && Number.parseFloat(style.borderTopWidth) > 0;
        if (one.getAttribute('role') === 'switch') {
          const thumb = getComputedStyle(one, '::before');
          if (!hasEdge || thumb.backgroundColor === style.backgroundColor) return [`switch not seen: ${name}`];
        }
        const isBox = one.matches('input, select, textarea');
        return isBox && !hasEdge && style.backgroundColor === canvas ? [`no edge: ${one.outerHTML.slice(0, 80)}`] : [];
      });
  });
  await page.emulateMedia({ forcedColors: 'none' });
  return faults;
}

/** WCAG 2.2 AA, and the best practices of axe. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Minified, because it is loaded into each page. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const OPTIONS = { runOnly: RULES, resultTypes: ['violations'], preload: false, iframes: false };

/** Only these lines leave the page: a full report of axe is several megabytes. */
const JUDGE = `axe.run(${JSON.stringify(OPTIONS)}).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes[0]?.html.slice(0, 160)))`;

/** Lets the page's bars lie where they belong, or float again: what they cover can be scrolled free. */
const layBars = (page: Page, position: 'static' | ''): Promise<void> =>
  page.evaluate((place) => {
    const sticky = [...document.querySelectorAll<HTMLElement>('header, [data-covers-foot]')];
    const bars = place === '' ? sticky : sticky.filter((bar) => getComputedStyle(bar).position === 'sticky');
    const foot = document.querySelector<HTMLElement>('nav[aria-label="Quick navigation"]');
    for (const bar of foot ? [...bars, foot] : bars) bar.style.position = place;
  }, position);

/** Runs axe on a page. @returns each finding as its rule and the first place */
export async function axeFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(AXE);
  await layBars(page, 'static');
  const faults = await page.evaluate<string[]>(JUDGE);
  await layBars(page, '');
  return faults;
}
