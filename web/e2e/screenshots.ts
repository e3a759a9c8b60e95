import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
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

const say = (text: string) => process.stdout.write(`${text}\n`);

async function takeReadme(browser: Browser, fixtures: Fixtures): Promise<void> {
  for (const [name, size, theme, file, until] of readme) {
    const state = allStates.find((one) => one.name === name);
    if (!state) throw new Error(`no state is called ${name}`);
    const path = join(folder, `${file}.png`);
    await takeScreen(browser, fixtures, state, size, theme, path, until);
    const bytes = statSync(path).size;
    if (bytes > MAX_BYTES) throw new Error(`${file}.png has ${bytes} bytes`);
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

/** `--readme` takes only the README's pictures; an argument only the states whose name matches it. */
async function main([chosen = '']: string[]): Promise<void> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('no Chromium: set CHROMIUM to its path');
  say('Starting LotWatch …');
  const lotWatch = await startLotWatch();
  try {
    const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
    say('Listing cars …');
    const fixtures = await createFixtures(lotWatch);
    if (chosen !== '--readme') await takeStates(browser, fixtures, chosen);
    if (chosen === '--readme' || chosen === '') await takeReadme(browser, fixtures);
    await fixtures.close();
    await browser.close();
  } finally {
    await lotWatch.stop();
  }
}

await main(process.argv.slice(2));
