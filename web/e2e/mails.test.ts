import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { exampleMails, sampleMails } from '../../api/test/mail/sample-mails.ts';
import { canBrowse, openBrowser } from './browser/support.ts';
import { type MailView, mailViews, openMailProgram, showMail } from './states/visits/mail-views.ts';

/** Of a link whose touch target is smaller; links within a sentence may be. */
const TARGET_PX = 44;
const IN_SENTENCE = /^You get this mail/;

interface Measured {
  overflow: number;
  smallTargets: string[];
  photos: { width: number; height: number; text: string; color: string; font: string }[];
}

/** Runs in the page. */
function measure([least, sentence]: [number, string]): Measured {
  const inSentence = new RegExp(sentence);
  const links = [...document.querySelectorAll('a')].filter(
    (link) => !link.querySelector('img') && !inSentence.test(link.parentElement?.textContent ?? ''),
  );
  return {
    overflow: document.documentElement.scrollWidth - innerWidth,
    smallTargets: links
      .filter((link) => link.getBoundingClientRect().height < least)
      .map((link) => link.textContent ?? ''),
    photos: [...document.querySelectorAll('img')].map((photo) => {
      const { width, height } = photo.getBoundingClientRect();
      const { color, fontFamily } = getComputedStyle(photo);
      return { width, height, text: photo.alt, color, font: fontFamily };
    }),
  };
}

const named = ({ width, theme, hasImages }: MailView) => `at ${width} px, ${theme}, images ${hasImages ? 'on' : 'off'}`;

describe.skipIf(!canBrowse)('a mail', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });

  /** Measures mails in one view, one after another. */
  async function look(mails: readonly string[], view: MailView): Promise<Measured[]> {
    const page = await openMailProgram(browser, view);
    const measured: Measured[] = [];
    for (const html of mails) {
      await showMail(page, html);
      measured.push(await page.evaluate(measure, [TARGET_PX, IN_SENTENCE.source] as [number, string]));
    }
    await page.context().close();
    return measured;
  }

  /** Every width, and every theme with images and without. */
  const quick = [
    '320 px, light, images on',
    '320 px, dark, images off',
    '390 px, dark, images on',
    '700 px, light, images off',
  ];
  const isQuick = (view: MailView): boolean => quick.some((name) => named(view) === `at ${name}`);

  async function fits(view: MailView): Promise<void> {
    const mails = Object.entries({ ...sampleMails, ...exampleMails });
    const measured = await look(
      mails.map(([, { html }]) => html),
      view,
    );
    expect(measured.length).toBe(mails.length);
    for (const [at, { overflow, smallTargets }] of measured.entries()) {
      const kind = mails[at]?.[0];
      expect(overflow, `${kind} is too wide`).toBeLessThanOrEqual(0);
      expect(smallTargets, kind).toEqual([]);
    }
  }
  it.each(mailViews.filter(isQuick).map((view) => [named(view), view] as const))('fits its window %s', (_, view) =>
    fits(view),
  );
  it.each(mailViews.filter((view) => !isQuick(view)).map((view) => [named(view), view] as const))(
    'fits its window %s',
    { tags: 'long' },
    (_, view) => fits(view),
  );
  it.each([
    ['several', 390, 324],
    ['several', 700, 518],
    ['digest', 320, 112],
  ])('of %s cars at %i px gives its photos the same box with and without images', async (kind, width, expected) => {
    const html = exampleMails[kind]?.html ?? '';
    const [[on], [off]] = await Promise.all([
      look([html], { width, theme: 'light', hasImages: true }),
      look([html], { width, theme: 'light', hasImages: false }),
    ]);
    expect(on?.photos.length).toBeGreaterThan(1);
    for (const [at, photo] of (on?.photos ?? []).entries()) {
      expect(photo).toEqual(off?.photos[at]);
      expect(Math.abs(photo.width - expected)).toBeLessThanOrEqual(10);
      expect(photo.height / photo.width).toBeCloseTo(kind === 'digest' ? 0.75 : 2 / 3, 1);
      expect(photo.font).toContain('Inter');
      expect(photo.text).toContain('amry');
    }
  });
});
