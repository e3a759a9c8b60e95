import { describe, expect, it } from 'vitest';
import { axeFaults } from './browser/page-faults.ts';
import { newPerson, putOnPlan, someone } from './browser/people.ts';
import { canBrowse, lotWatch, useBrowser } from './browser/support.ts';

interface Description {
  paths: Record<string, Record<string, unknown>>;
}

const PHONE = { width: 375, height: 800 };
const DESKTOP = { width: 1280, height: 900 };
/** Faults of Swagger UI itself: buttons inside buttons, and headings that skip a level. */
const SWAGGER_FAULTS = /nested-interactive|heading-order|landmark-|scrollable-region-focusable|select-name|region/;

describe.skipIf(!canBrowse)('the description of the API', () => {
  const browser = useBrowser();

  it('shows every operation, and its files are cached', { tags: 'long' }, async () => {
    const page = await browser.open();
    const answer = await page.goto('/api/docs');
    expect(answer?.headers()['content-security-policy']).toContain("script-src 'self';");
    expect(answer?.headers()['cache-control']).toBe('no-cache');
    await page.locator('.opblock').first().waitFor();
    const description = (await (await fetch(`${lotWatch().url}/api/openapi.json`)).json()) as Description;
    const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const shown = await page
      .locator('.opblock')
      .evaluateAll((blocks) =>
        blocks.map(
          (block) =>
            `${block.querySelector('.opblock-summary-method')?.textContent} ${block.querySelector('.opblock-summary-path')?.getAttribute('data-path')}`,
        ),
      );
    expect(operations.length).toBeGreaterThanOrEqual(28);
    expect(shown.sort()).toEqual(operations.sort());
    await expect
      .poll(() => page.evaluate(() => [...document.fonts].map(({ status }) => status)))
      .toEqual(['loaded', 'loaded']);
    const first = await page.locator('.start code').first().innerText();
    const plans = await fetch(first.replace('curl -s ', ''));
    expect([first.startsWith('curl -s '), plans.status]).toEqual([true, 200]);
    const files = await page
      .locator('[src^="/api/docs/"], [href^="/api/docs/"]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('src') ?? one.getAttribute('href') ?? ''));
    expect(files).toHaveLength(5);
    for (const file of files) {
      const { status, headers } = await fetch(`${lotWatch().url}${file}`);
      // A font is compressed already.
      const encoding = file.endsWith('.woff2') ? null : expect.stringMatching(/^(br|gzip)$/);
      expect([status, headers.get('content-encoding')]).toEqual([200, encoding]);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
    const folder = files[0]?.replace(/[^/]+$/, '');
    for (const name of ['package.json', 'swagger-ui.js', 'docs-page.ts', '../start.js', '']) {
      const { status, headers } = await fetch(`${lotWatch().url}${folder}${name}`);
      expect([name, status, headers.get('content-type')]).toEqual([name, 404, 'application/json; charset=utf-8']);
    }
    expect((await fetch(`${lotWatch().url}/api/docs`, { method: 'POST' })).status).toBe(405);
  });

  it('makes calls as the signed-in user', { tags: 'long' }, async () => {
    const page = await browser.open({ cookies: someone('user').cookies });
    await page.goto('/api/docs');
    const tryOut = async (id: string) => {
      const operation = page.locator(`#operations-${id}`);
      await operation.locator('.opblock-summary-control').click();
      await operation.getByRole('button', { name: 'Try it out' }).click();
      await operation.getByRole('button', { name: 'Execute' }).click();
      const answer = operation.locator('.live-responses-table .response').first();
      return `${await answer.locator('.response-col_status').innerText()} ${await answer.locator('.highlight-code').first().innerText()}`;
    };
    expect(await tryOut('Subscription-getSubscriptionPlans')).toMatch(/^200.*"Free"/s);
    expect(await tryOut('Account-getUser')).toMatch(/^200.*"prepared-user"/s);
    // A write sends its origin, which is this page.
    expect(await tryOut('Contact-postContact')).toMatch(/^201/);
  });

  it('makes calls with a key that is typed in, whatever user is signed in', { tags: 'long' }, async () => {
    const dealer = await newPerson();
    await putOnPlan(dealer, 4);
    const { createApiKey } = await dealer.ask<{ createApiKey: { secret: string } }>(
      'mutation { createApiKey(name: "Docs", scopes: [read]) { secret } }',
    );
    const page = await browser.open({ cookies: someone('user').cookies });
    await page.goto('/api/docs');
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    const dialog = page.locator('.dialog-ux');
    await expect.poll(() => dialog.locator('.auth-container input').count()).toBe(1);
    await dialog.locator('.auth-container input').fill(createApiKey.secret);
    await dialog.getByRole('button', { name: 'Apply credentials' }).click();
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    const operation = page.locator('#operations-Account-getUser');
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    const answer = operation.locator('.live-responses-table .response').first();
    await expect.poll(() => answer.innerText()).toContain(dealer.name);
  });

  it.each([
    ['light', PHONE],
    ['dark', DESKTOP],
  ] as const)('can be read in a %s room, %o wide', { tags: 'long' }, async (colorScheme, viewport) => {
    const page = await browser.open({ colorScheme, viewport });
    await page.goto('/api/docs');
    for (const id of ['Alerts-postAlerts', 'Listings-getListings', 'Subscription-getSubscriptionPlans']) {
      await page.locator(`#operations-${id} .opblock-summary-control`).click();
      await page.locator(`#operations-${id} .responses-wrapper`).waitFor();
    }
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBe(viewport.width);
    expect((await axeFaults(page)).filter((fault) => !SWAGGER_FAULTS.test(fault))).toEqual([]);
  });
});
