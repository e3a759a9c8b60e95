import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** WCAG 2.2 AA, and what axe's makers hold for good practice. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds on a page, each as its rule and the first place. */
export async function axeFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>(
    `axe.run({ runOnly: ${JSON.stringify(RULES)}, resultTypes: ['violations'], preload: false, iframes: false })`,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)}`);
}
