import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { findChromium } from '../e2e/browser/find-chromium.ts';

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

const require = createRequire(import.meta.url);
const font = (name: string, file: string, weights: string): string => {
  const bytes = readFileSync(require.resolve(`@fontsource-variable/${file}`));
  return `@font-face{font-family:${name};font-weight:${weights};src:url(data:font/woff2;base64,${bytes.toString('base64')})}`;
};

/** What is seen where a link to LotWatch is shared: 1200 × 630, plain colours, so that the PNG stays small. */
function socialPage(): string {
  return `<style>
    ${font('Bricolage', 'bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2', '200 800')}
    ${font('Inter', 'inter/files/inter-latin-wght-normal.woff2', '100 900')}
    body { width: 1200px; height: 630px; background: #0C1413; color: #E9F0EE; font-family: Inter; overflow: hidden; position: relative }
    .name { position: absolute; left: 72px; top: 64px; display: flex; gap: 20px; align-items: center; font: 650 40px Bricolage; letter-spacing: -0.02em }
    .name svg { width: 60px }
    h1 { position: absolute; left: 72px; top: 176px; width: 660px; font: 650 80px/1.04 Bricolage; letter-spacing: -0.03em }
    p { position: absolute; left: 72px; bottom: 64px; font-size: 28px; color: #C9D3D0 }
    .scene { position: absolute; left: 0; top: 0; width: 1200px; height: 630px }
  </style>
  <svg class="scene" viewBox="0 0 1200 630">
    <path d="M132 84 1200 250V630H470L132 104z" fill="#2A2412"/>
    <path d="M132 88 1200 330V630H700L132 100z" fill="#3D3318"/>
    <path d="M640 558H1200" stroke="#243331" stroke-width="4"/>
    <g transform="translate(726 390) scale(1.9)">
      <ellipse cx="120" cy="86" rx="116" ry="5" fill="#0C1413"/>
      <path d="M12 82c-6 0-8-4-8-10v-12c0-10 8-15 24-17l26-4c14-14 26-25 42-29 8-2 16-2 26-2 24 0 34 4 48 14 10 7 18 14 26 19 22 2 36 6 40 12 3 5 4 14 4 21 0 5-3 8-8 8z" fill="#C9D1D2"/>
      <path d="M66 41c12-11 22-19 34-22 7-2 13-2 20-2v24zM128 17c18 0 28 3 38 10 6 4 12 9 17 14h-55z" fill="#4D6266"/>
      <rect x="222" y="50" width="15" height="8" rx="4" fill="#FFC04D"/><rect x="4" y="52" width="9" height="8" rx="3" fill="#B3463C"/>
      <g fill="#131E1D"><circle cx="56" cy="76" r="15"/><circle cx="184" cy="76" r="15"/></g>
      <g fill="#9DB0AB"><circle cx="56" cy="76" r="6.5"/><circle cx="184" cy="76" r="6.5"/></g>
    </g>
  </svg>
  <div class="name"><svg viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#57C9BC"/><circle cx="11.5" cy="16" r="5" fill="none" stroke="#06211E" stroke-width="3"/><path d="M20.5 10.5h6M20.5 16h6M20.5 21.5h6" stroke="#FFC04D" stroke-width="2.6" stroke-linecap="round"/></svg>LotWatch</div>
  <h1>Find your dream car the minute it's listed.</h1>
  <p>Free for one alert. No credit card.</p>`;
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
