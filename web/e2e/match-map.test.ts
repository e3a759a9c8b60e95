/** @module-tag long */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { layoutFaults, waitUntilStill } from './browser/geometry.ts';
import { axeFaults } from './browser/page-faults.ts';
import { giveAlert, newPerson, type Person, pushedCar } from './browser/people.ts';
import { canBrowse, pushItems, sees, takenOver, useBrowser } from './browser/support.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const DESKTOP = { viewport: { width: 1440, height: 900 } };
/** What a phone may load of scripts for the map, in bytes on the wire. */
const MAX_SCRIPTS = 60_000;

const carAt = (city: string, state: string, title: string, more: Record<string, unknown> = {}) =>
  pushedCar({
    marketplace_listing_title: `2016 Jaguar F-TYPE · ${title}`,
    location: { reverse_geocode: { city, state } },
    ...more,
  });

describe.skipIf(!canBrowse)('the map of an alert', () => {
  const browser = useBrowser();
  const mark = (page: Page, name: string | RegExp) =>
    page.getByRole('list', { name: 'Cars on the map' }).getByRole('button', { name });
  const stage = (page: Page) => page.getByRole('group', { name: /^Map around/ });
  const focused = (page: Page) =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent);
  const scale = (page: Page) => page.getByText(/^[\d.]+ mi$/).innerText();
  const scrolled = (page: Page) => page.evaluate(() => scrollY);
  /** Waits until the page has not scrolled for 20 frames. */
  const scrollEnd = (page: Page) =>
    page.evaluate(async () => {
      let [last, frames] = [scrollY, 0];
      while (frames < 20) {
        await new Promise(requestAnimationFrame);
        frames = scrollY === last ? frames + 1 : 0;
        last = scrollY;
      }
    });
  const picture = async (page: Page, name: string) => {
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/map-${name}.png` });
  };

  /** Someone whose alert matches these cars. */
  async function withCars(location: string, cars: unknown[]): Promise<{ person: Person; id: string }> {
    const person = await newPerson();
    const id = await giveAlert(person, { location });
    await pushItems('e2e', cars);
    const count = async () =>
      (await person.ask<{ matches: { nodes: unknown[] } }>('{ matches { nodes { matchedAt } } }')).matches.nodes.length;
    await expect.poll(count).toBe(cars.length);
    return { person, id };
  }

  it.each(['light', 'dark'] as const)('follows its list and is used by keyboard, in %s mode', async (colorScheme) => {
    const [town, state, other, otherState] =
      colorScheme === 'light' ? ['Sheridan', 'WY', 'Lodge Grass', 'MT'] : ['Malta', 'MT', 'Saco', 'MT'];
    const { person, id } = await withCars(`${town}, ${state}`, [
      ...[1, 2, 3].map((n) => carAt(town, state, `Number ${n}`)),
      carAt(other, otherState, 'far away', { listing_price: { amount: '18900.00', currency: 'USD' } }),
    ]);
    const page = await browser.open({ ...DESKTOP, colorScheme, cookies: person.cookies });
    await page.goto(`/alert/${id}`);
    const cluster = mark(page, `3 cars in ${town}, ${state}`);
    const single = mark(page, new RegExp(`far away, \\$18,900, ${other}, ${otherState}, [\\d.]+ mi away`));
    await cluster.waitFor();
    await single.waitFor();
    await sees(page, `4 cars within 50 miles of ${town}, ${state}`);
    await page.locator(`svg text`).getByText(town, { exact: true }).waitFor();
    await waitUntilStill(page);
    await picture(page, colorScheme);

    // A card marks its point, and a point its card.
    const card = page.getByRole('article', { name: /far away/ });
    await card.getByRole('button', { name: 'Not this car' }).focus();
    await expect.poll(() => single.getAttribute('data-marked')).toBe('true');
    expect(await cluster.getAttribute('data-marked')).toBeNull();
    await single.hover();
    const outline = () =>
      card.locator('xpath=ancestor::*[starts-with(@id, "car-")]').evaluate((e) => getComputedStyle(e).outlineStyle);
    await expect.poll(outline).toBe('solid');

    // Keys move and zoom the map; 0 shows the whole circle again.
    await stage(page).focus();
    const before = await single.boundingBox();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(async () => ((await single.boundingBox())?.x ?? 0) - (before?.x ?? 0)).toBe(80);
    await page.keyboard.press('-');
    await page.keyboard.press('0');
    await expect.poll(() => single.boundingBox()).toEqual(before);

    // The marks are one stop of Tab; arrow keys lead from one to the next.
    await page.keyboard.press('Tab');
    await expect.poll(() => focused(page)).toMatch(/^(3 cars|2016)/);
    await single.focus();
    await page.keyboard.press(other === 'Saco' ? 'ArrowLeft' : 'ArrowDown');
    await expect.poll(() => focused(page)).toBe(`3 cars in ${town}, ${state}`);
    await page.keyboard.press('Enter');
    const places = page.getByRole('region', { name: `3 cars in ${town}, ${state}` });
    await places.waitFor();
    expect(await places.getByRole('listitem').count()).toBe(3);
    await expect.poll(() => places.evaluate((e) => e.getBoundingClientRect().bottom <= innerHeight)).toBe(true);
    expect([await axeFaults(page), await layoutFaults(page)]).toEqual([[], []]);
    await picture(page, `${colorScheme}-open`);
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page)).toBe(`3 cars in ${town}, ${state}`);
    await page.keyboard.press('Enter');
    await places
      .getByRole('listitem')
      .filter({ hasText: 'Number 2' })
      .getByRole('button', { name: 'Show' })
      .press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toMatch(/^car-\d+$/);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Number 2');

    await page.getByRole('button', { name: 'Map', exact: true }).press('Enter');
    await stage(page).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('button', { name: 'Map', exact: true }).waitFor();
    await card.waitFor();
    expect(await stage(page).count()).toBe(0);
  });

  it('is opened on a phone, where it loads little, shows arriving cars and has a table', async () => {
    const { person, id } = await withCars('Hilo, HI', [
      carAt('Hilo', 'HI', 'One'),
      carAt('Honokaa', 'HI', 'Two', { listing_price: { amount: '18900.00', currency: 'USD' } }),
    ]);
    const page = await browser.open({ ...PHONE, cookies: person.cookies, ownContext: true });
    await page.goto(`/alert/${id}`);
    await page.getByRole('article').first().waitFor();
    // On a busy machine the network may be idle before the scripts of a drawn page are asked for.
    await takenOver(page);
    await page.waitForLoadState('networkidle');
    expect(await stage(page).count()).toBe(0);
    const files = new Map<string, number>();
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.startsWith('/assets/')) files.set(pathname, Number(response.headers()['content-length']));
    });
    await page.getByRole('button', { name: 'Map', exact: true }).tap();
    await mark(page, /One, \$21,500, Hilo, HI/).waitFor();
    await page.locator('svg text').getByText('Hilo', { exact: true }).waitFor();
    await waitUntilStill(page);
    const sizes = [...files].filter(([path]) => path.endsWith('.js')).map(([, bytes]) => bytes);
    expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(MAX_SCRIPTS);
    const outlines = [...files.keys()].filter((path) => path.endsWith('.json'));
    expect(outlines.map((path) => path.replace(/.*-/, '')).sort()).toEqual(['15.json', 'states.json']);
    await picture(page, 'phone');
    expect([await axeFaults(page), await layoutFaults(page)]).toEqual([[], []]);

    await pushItems('e2e', [carAt('Hilo', 'HI', 'Three')]);
    await mark(page, '2 cars in Hilo, HI').waitFor();
    await mark(page, '2 cars in Hilo, HI').tap();
    await page.getByRole('region', { name: '2 cars in Hilo, HI' }).waitFor();
    await page.getByText('As a table').tap();
    await page.getByRole('row', { name: /^Hilo, HI 2 \$21,500 [\d.]+ mi away$/ }).waitFor();
    await picture(page, 'phone-open');
    expect([await axeFaults(page), await layoutFaults(page)]).toEqual([[], []]);
    if (process.env.PICTURES) process.stderr.write(`${JSON.stringify([...files])}\n`);
  });

  it('leaves the wheel to the page, and takes drags and the wheel with Ctrl', async () => {
    const { person, id } = await withCars('Dickinson, ND', [carAt('Belfield', 'ND', 'to the west')]);
    /** Pixels from the map's left edge. */
    const place = async (page: Page) => {
      const [box, around] = [await mark(page, /to the west/).boundingBox(), await stage(page).boundingBox()];
      return Math.round((box?.x ?? 0) - (around?.x ?? 0));
    };
    const desk = await browser.open({ ...DESKTOP, viewport: { width: 1024, height: 700 }, cookies: person.cookies });
    await desk.goto(`/alert/${id}`);
    await mark(desk, /to the west/).waitFor();
    await stage(desk).scrollIntoViewIfNeeded();
    await stage(desk).hover();
    const [wholeCircle, home, top] = [await scale(desk), await place(desk), await scrolled(desk)];
    await desk.mouse.wheel(0, 60);
    await expect.poll(() => scrolled(desk)).toBe(top + 60);
    await sees(desk, 'Hold Ctrl and scroll to zoom');
    expect([await scale(desk), await place(desk)]).toEqual([wholeCircle, home]);
    await desk.keyboard.down('Control');
    await desk.mouse.wheel(0, -400);
    await desk.keyboard.up('Control');
    await expect.poll(() => scale(desk)).not.toBe(wholeCircle);
    expect(await scrolled(desk)).toBe(top + 60);
    await desk.getByRole('button', { name: 'Show the whole circle' }).click();
    await expect.poll(() => place(desk)).toBe(home);
    await stage(desk).hover({ position: { x: 60, y: 60 } });
    await desk.mouse.down();
    await desk.mouse.move(200, 300, { steps: 3 });
    const before = await place(desk);
    await desk.mouse.move(230, 300, { steps: 3 });
    await desk.mouse.up();
    expect((await place(desk)) - before).toBe(30);
  });

  it('leaves one finger to the page, and takes two', async () => {
    const { person, id } = await withCars('Williston, ND', [carAt('Watford City', 'ND', 'elsewhere')]);
    const page = await browser.open({ ...PHONE, cookies: person.cookies });
    await page.goto(`/alert/${id}`);
    await page.getByRole('button', { name: 'Map', exact: true }).tap();
    await mark(page, /elsewhere/).waitFor();
    await stage(page).evaluate((element) => element.scrollIntoView({ block: 'center' }));
    const around = await stage(page).boundingBox();
    const [x, y] = [Math.round((around?.x ?? 0) + 150), Math.round((around?.y ?? 0) + 170)];
    const devtools = await page.context().newCDPSession(page);
    /** Moves fingers in ten steps. */
    const gesture = async (fingerPlaces: (step: number) => { x: number; y: number }[]) => {
      await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingerPlaces(0) });
      for (let step = 1; step <= 10; step++)
        await devtools.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: fingerPlaces(step) });
      await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    };
    const [top, wholeCircle] = [await scrolled(page), await scale(page)];
    await gesture((step) => [{ x, y: y - step * 10 }]);
    await expect.poll(() => scrolled(page)).toBeGreaterThan(top + 30);
    expect(await scale(page)).toBe(wholeCircle);
    await gesture((step) => [{ x: x + step * 8, y: y - 80 }]);
    await sees(page, 'Move the map with two fingers');
    expect(await scale(page)).toBe(wholeCircle);

    await stage(page).evaluate((element) => element.scrollIntoView({ block: 'center' }));
    await scrollEnd(page);
    const still = await scrolled(page);
    await gesture((step) => [
      { x: x - 20 - step * 6, y },
      { x: x + 20 + step * 6, y },
    ]);
    await expect.poll(() => scale(page)).not.toBe(wholeCircle);
    expect([await scrolled(page), await page.evaluate(() => visualViewport?.scale)]).toEqual([still, 1]);
  });
});
