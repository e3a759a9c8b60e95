import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makePool } from '../../api/src/base/database.ts';
import { giveAlert, newPerson, rareCar } from './browser/people.ts';
import { canBrowse, databaseUrl, lotWatch, pushItems, readOutbox, useBrowser } from './browser/support.ts';

const TOWN = 'Savoonga';

describe.skipIf(!canBrowse)("a seller's photos", () => {
  const browser = useBrowser();
  const seen: IncomingMessage[] = [];
  let seller = '';
  let photo: Buffer;
  /** A page of another origin. */
  let webmail = '';
  const server = createServer((request, response) => {
    seen.push(request);
    if (request.url === '/broken.jpg') response.writeHead(404).end();
    else if (request.url === '/webmail') response.setHeader('content-type', 'text/html').end(webmail);
    else response.end(photo);
  });
  beforeAll(async () => {
    photo = await sharp({ create: { width: 1600, height: 1200, channels: 3, background: '#0a6' } })
      .jpeg()
      .toBuffer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    seller = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    // The seller's server of the test is on this machine, so its source must be allowed to use private addresses.
    const pool = makePool(databaseUrl(), 1, 'photos-test');
    const settings = JSON.stringify({ url: `${seller}/items`, allowPrivateNetwork: true });
    await pool.query("insert into sources (name, kind, settings) values ('e2e-seller', 'push', $1)", [settings]);
    await pool.end();
  });
  afterAll(() => {
    server.close();
  });

  it('are served by LotWatch in pages and mails, and a broken one is replaced by the drawn car', async () => {
    const person = await newPerson();
    const alert = await giveAlert(person, { location: `${TOWN}, AK` });
    const car = (title: string, image: string) =>
      rareCar(TOWN, title, { listing_photos: [{ image: { uri: `${seller}/${image}` } }] });
    // The second one is above the first. Both are matched at once, so that one mail is about both.
    await pushItems('e2e-seller', [car('Broken', 'broken.jpg'), car('Whole', 'whole.jpg')]);
    const page = await browser.open({ cookies: person.cookies, expected: /Failed to load resource/ });
    await page.goto(`/alert/${alert}`);
    const cards = {
      whole: page.getByRole('article', { name: /Whole/ }),
      broken: page.getByRole('article', { name: /Broken/ }),
    };
    const image = cards.whole.getByRole('img', { name: /Whole/ });
    await image.scrollIntoViewIfNeeded();
    // In the smallest width that fills the card, and in the browser's best format; the first card's is not lazy.
    const shown = () =>
      image.evaluate((one) => {
        const { currentSrc, complete, clientWidth } = one as HTMLImageElement;
        return { currentSrc: complete ? currentSrc : '', wanted: clientWidth * devicePixelRatio };
      });
    await expect.poll(async () => (await shown()).currentSrc).not.toBe('');
    const { currentSrc, wanted } = await shown();
    const width = [320, 480, 640, 960, 1280].find((one) => one >= wanted);
    expect(currentSrc).toMatch(new RegExp(`^${lotWatch().url}/photos/\\d+-[\\w-]{16}/0\\?v=[\\w-]{8}&w=${width}$`));
    const answer = await fetch(currentSrc, { headers: { accept: 'image/avif,image/webp,*/*' } });
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([answer.headers.get('content-type'), (await sharp(bytes).metadata()).width]).toEqual(['image/avif', width]);
    expect(await image.getAttribute('loading')).toBe('eager');
    await cards.broken.scrollIntoViewIfNeeded();
    await expect.poll(() => cards.broken.locator('img').count()).toBe(0);
    await cards.broken.locator('svg').first().waitFor();

    // The viewer's browser never contacts the seller, and LotWatch sends none of the browser's headers.
    expect(seen.length).toBeGreaterThanOrEqual(2);
    expect(new Set(seen.map(({ headers }) => headers['user-agent']))).toEqual(new Set(['LotWatch/1.0']));
    for (const { headers } of seen)
      expect(Object.keys(headers).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent']);
    const mailed = () => readOutbox().find(({ to, kind }) => to === person.email && kind === 'match');
    await vi.waitFor(() => expect(mailed()).toBeDefined(), { timeout: 30_000 });
    const html = mailed()?.html ?? '';
    expect(html).not.toContain(seller);
    const [, source = ''] = /<img src="([^"]+)"/.exec(html) ?? [];
    expect(source.startsWith(`${lotWatch().url}/photos/`)).toBe(true);
    const answers = await Promise.all(
      [...html.matchAll(/<img src="([^"]+)"/g)].map(
        async ([, address = '']) => (await fetch(address.replaceAll('&amp;', '&'))).status,
      ),
    );
    expect(answers.sort()).toEqual([200, 404]);

    // In a webmail program the photo is shown on a page of another origin, as nothing else of ours is.
    const photos = [...html.matchAll(/<img src="([^"]+)"/g)].map(([, address]) => address);
    webmail = [...photos, `${lotWatch().url}/favicon.svg`].map((address) => `<img src="${address}">`).join('');
    const mail = await browser.open({ expected: /./ });
    await mail.goto(`${seller}/webmail`);
    const widths = await mail.evaluate(() => [...document.images].map(({ naturalWidth }) => naturalWidth));
    expect(widths.sort()).toEqual([0, 0, 960]);
  });
});
