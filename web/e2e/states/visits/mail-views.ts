import type { Browser, Page } from 'playwright-core';
import { DRAWN_PHOTOS, drawnPhoto } from './listings.ts';
import type { Theme } from './open-states.ts';

/** How a mail is looked at. */
export interface MailView {
  width: number;
  theme: Theme;
  /** Whether the mail program loads images. */
  hasImages: boolean;
}

/** Small phones, phones, and a mail program on a desktop. */
export const mailWidths = [320, 390, 700] as const;

export const mailViews: readonly MailView[] = mailWidths.flatMap((width) =>
  (['light', 'dark'] as const).flatMap((theme) => [true, false].map((hasImages) => ({ width, theme, hasImages }))),
);

/**
 * Opens a page that shows mails as a mail program does: without scripts, and with drawn cars as photos. `showMail` shows
 * one mail after another in it; the caller closes its context.
 */
export async function openMailProgram(browser: Browser, { width, theme, hasImages }: MailView): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width, height: 844 },
    colorScheme: theme,
    javaScriptEnabled: false,
  });
  const page = await context.newPage();
  await page.route('**/*', (route) => route.abort());
  if (hasImages) {
    await page.route(DRAWN_PHOTOS, (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: drawnPhoto(route.request().url()) }),
    );
  }
  return page;
}

/** Shows a mail's HTML, and waits for its images. */
export const showMail = (page: Page, html: string): Promise<void> => page.setContent(html, { waitUntil: 'load' });
