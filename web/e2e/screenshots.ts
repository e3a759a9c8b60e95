import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import sharp from 'sharp';
import { CHROMIUM_FLAGS, findChromium } from './browser/find-chromium.ts';
import { startLotWatch } from './browser/running.ts';
import { allStates } from './states/all-states.ts';
import { createFixtures, type Fixtures } from './states/visits/fixtures.ts';
import { galleryPage } from './states/visits/gallery.ts';
import { takeMails } from './states/visits/mail-pictures.ts';
import { takeAll, takeScreen } from './states/visits/pictures.ts';

const folder = fileURLToPath(new URL('screenshots', import.meta.url));
/** The size of a picture in the README. */
const MAX_BYTES = 300_000;

/** The pictures of the README, which are committed. */
const readme = [
  ['landing/visitor', 'desktop', 'light', 'landing-desktop-light', 'to mail (median)'],
  ['dashboard/filled', 'desktop', 'dark', 'dashboard-desktop-dark', 'Load more results'],
  ['alert/matches', 'phone', 'light', 'alert-phone-light', 'a match reaches you in'],
] as const;

/** The pictures of the app that a browser shows before it is installed, which its manifest names. */
const store = fileURLToPath(new URL('../public/icons', import.meta.url));
const MAX_STORE_BYTES = 200_000;
const manifest = [
  ['alert/matches', 'phone', 'light', 'app-phone', 'a match reaches you in'],
  ['dashboard/filled', 'desktop', 'light', 'app-desktop', 'Load more results'],
] as const;

const say = (text: string) => process.stdout.write(`${text}\n`);

async function takeCommitted(
  browser: Browser,
  fixtures: Fixtures,
  pictures: typeof readme | typeof manifest,
  into: string,
  maxBytes: number,
): Promise<void> {
  for (const [name, size, theme, file, until] of pictures) {
    const state = allStates.find((one) => one.name === name);
    if (!state) throw new Error(`no state is called ${name}`);
    const path = join(into, `${file}.png`);
    await takeScreen(browser, fixtures, state, size, theme, path, until);
    // 256 colours are a third of the bytes, and no eye sees it.
    if (pictures === manifest) writeFileSync(path, await sharp(path).png({ palette: true }).toBuffer());
    const bytes = statSync(path).size;
    if (bytes > maxBytes) throw new Error(`${file}.png has ${bytes} bytes`);
    say(`${file}.png ${Math.round(bytes / 1000)} kB`);
  }
}

async function takeStates(browser: Browser, fixtures: Fixtures, name: string): Promise<void> {
  const states = allStates.filter((state) => new RegExp(name).test(state.name));
  const all = join(folder, 'all');
  const pictures = await takeAll(browser, fixtures, states, all, (taken, left) => {
    for (const { file, faults } of taken) say([file, ...faults].join('\n    '));
    say(`  ${left} to go`);
  });
  pictures.push(...(await takeMails(browser, all, name)));
  writeFileSync(join(all, 'index.html'), galleryPage(pictures));
  say(`${pictures.length} pictures: open ${join(all, 'index.html')}`);
}

/** `--readme` takes only the README's pictures, `--manifest` only the manifest's; another argument only the states whose name matches it. */
async function main([chosen = '']: string[]): Promise<void> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('no Chromium: set CHROMIUM to its path');
  say('Starting LotWatch …');
  const lotWatch = await startLotWatch();
  try {
    const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
    say('Listing cars …');
    const fixtures = await createFixtures(lotWatch);
    if (!chosen.startsWith('--')) await takeStates(browser, fixtures, chosen);
    const isWhole = chosen === '';
    if (chosen === '--readme' || isWhole) await takeCommitted(browser, fixtures, readme, folder, MAX_BYTES);
    if (chosen === '--manifest' || isWhole) await takeCommitted(browser, fixtures, manifest, store, MAX_STORE_BYTES);
    await fixtures.close();
    await browser.close();
  } finally {
    await lotWatch.stop();
  }
}

await main(process.argv.slice(2));
