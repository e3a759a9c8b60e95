import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import express, { type RequestHandler, Router } from 'express';

const YEAR_SECONDS = 31_536_000;

/**
 * The built web app: hashed files for ever, index.html never kept, and every page address answered by it.
 * @param folder `web/dist`
 * @param testMode marks the page, so that its first paint has room for the bar that says so
 */
export function staticWeb(folder: string, testMode: boolean): RequestHandler {
  const index = join(folder, 'index.html');
  const router = Router();
  router.use('/assets', express.static(join(folder, 'assets'), { immutable: true, maxAge: YEAR_SECONDS * 1000 }));
  router.use(express.static(folder, { index: false, maxAge: '1h' }));
  router.use((request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    // A missing file is missing: only addresses of pages get the page.
    if (/\.[a-z0-9]{2,5}$/i.test(request.path)) return next();
    if (!existsSync(index)) {
      response.status(503).type('text').send('The web app is not built yet: npm run build');
      return;
    }
    response.set('Cache-Control', 'no-cache');
    if (!testMode) return response.sendFile(index, { cacheControl: false });
    readFile(index, 'utf8')
      .then((page) => response.type('html').send(page.replace('<html ', '<html data-test-mode ')))
      .catch(next);
  });
  return router;
}
