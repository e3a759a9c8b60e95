import type { Page } from 'playwright-core';
import { layoutFaults } from './geometry.ts';

/** Runs in the page: what axe leaves open of its outline. */
function findOutlineFaults(): string[] {
  const faults: string[] = [];
  const shown = (selector: string) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
  for (const [selector, wanted] of Object.entries({ h1: 1, main: 1, 'body header': 1, 'body footer': 1 })) {
    const found = shown(selector).filter((one) => selector === 'h1' || !one.closest('article, section > section'));
    if (found.length !== wanted) faults.push(`${found.length} of ${selector}`);
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

/** Landmarks, one first heading, names of navigations, alternatives of images, and links and scripts that are safe. */
export const outlineFaults = (page: Page): Promise<string[]> => page.evaluate(findOutlineFaults);

/** With reduced motion wanted: what moves nevertheless. Fading and colours are no motion. */
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

/** With the spacing of WCAG 1.4.12: what no longer fits. */
export async function spacingFaults(page: Page): Promise<string[]> {
  // The policy refuses a style that stands in the page.
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

/** In the system's own few colours: switches, boxes and buttons that have neither an edge nor a filling left. */
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
