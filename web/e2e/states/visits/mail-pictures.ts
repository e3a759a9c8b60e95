import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { exampleMails } from '../../../../api/test/mail/sample-mails.ts';
import type { Picture } from './gallery.ts';
import { mailViews, openMailProgram, showMail } from './mail-views.ts';

/** The mails' part of the index. */
const PAGE = 'mails';

/** Takes pictures of each example mail at each width and theme, with images and without. @param name a part of their names */
export async function takeMails(browser: Browser, folder: string, name: string): Promise<Picture[]> {
  mkdirSync(folder, { recursive: true });
  const pictures: Picture[] = [];
  for (const view of mailViews) {
    const { width, theme, hasImages } = view;
    const page = await openMailProgram(browser, view);
    for (const [kind, { html }] of Object.entries(exampleMails)) {
      const state = `${PAGE}/${kind}`;
      if (!state.includes(name)) continue;
      await showMail(page, html);
      const shown = hasImages ? state : `${state}-without-images`;
      const file = `${shown.replace('/', '-')}-${width}-${theme}.png`;
      await page.screenshot({ path: join(folder, file), fullPage: true });
      pictures.push({ state: shown, size: `${width} px`, theme, file, faults: [] });
    }
    await page.context().close();
  }
  return pictures;
}
