import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** WCAG 2.2 AA, and what axe's makers hold for good practice. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Minified, for each page has to read it. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const OPTIONS = { runOnly: RULES, resultTypes: ['violations'], preload: false, iframes: false };

/** Only the lines leave the page: axe's own account of one is megabytes. */
const JUDGE = `axe.run(${JSON.stringify(OPTIONS)}).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes[0]?.html.slice(0, 160)))`;

/** What axe finds on a page, each as its rule and the first place. */
export async function axeFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(AXE);
  return page.evaluate<string[]>(JUDGE);
}
