import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { findChromium } from '../e2e/browser/find-chromium.ts';
import { socialPage } from './social-page.ts';

const out = (name: string): string => fileURLToPath(new URL(`../public/${name}`, import.meta.url));

const beams =
  '<g stroke="#F6B02C" stroke-width="2.6" stroke-linecap="round"><path d="M20.5 10.5h6M20.5 16h6M20.5 21.5h6"/></g>';
const ring = '<circle cx="11.5" cy="16" r="5" fill="none" stroke="#fff" stroke-width="3"/>';

/** The mark. `radius` of its corners and `scale` of what stands in it: a maskable icon keeps clear of the edge. */
const mark = (radius: number, scale: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="${radius}" fill="#0B5D57"/><g transform="translate(16 16) scale(${scale}) translate(-16.8 -16)">${ring}${beams}</g></svg>`;

const icons = [
  { name: 'icons/icon-192.png', size: 192, svg: mark(8, 1) },
  { name: 'icons/icon-512.png', size: 512, svg: mark(8, 1) },
  { name: 'icons/maskable-512.png', size: 512, svg: mark(0, 0.78) },
  // iOS rounds the corners itself and paints what is clear black.
  { name: 'icons/apple-touch-icon.png', size: 180, svg: mark(0, 0.9) },
];

async function shoot(page: Page, size: { width: number; height: number }, html: string): Promise<Buffer> {
  await page.setViewportSize(size);
  await page.setContent(`<style>*{margin:0}svg{display:block;width:100vw}</style>${html}`);
  await page.evaluate('document.fonts.ready');
  return page.screenshot({ omitBackground: true });
}

/** An .ico that holds one PNG of 32 px: six bytes of head, sixteen of entry, the picture. */
function ico(png: Buffer): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(32, 6);
  head.writeUInt8(32, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(22, 18);
  return Buffer.concat([head, png]);
}

const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: ['--no-sandbox'] });
try {
  const page = await browser.newPage();
  for (const { name, size, svg } of icons) {
    writeFileSync(out(name), await shoot(page, { width: size, height: size }, svg));
  }
  writeFileSync(out('favicon.ico'), ico(await shoot(page, { width: 32, height: 32 }, mark(8, 1))));
  writeFileSync(out('icons/social.png'), await shoot(page, { width: 1200, height: 630 }, socialPage()));
} finally {
  await browser.close();
}
