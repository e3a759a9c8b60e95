import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RequestHandler, Router } from 'express';
import { readOnly } from '../read-only.ts';
import { docsHtml, docsPolicy } from './docs-html.ts';

/** The folder is named for what is in the files. */
const KEPT = 'public, max-age=31536000, immutable';
const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const own = fileURLToPath(new URL('.', import.meta.url));
/** All that the page loads beside the description; nothing else of the folders can be reached. */
const files: Readonly<Record<string, string>> = {
  'swagger-ui.css': swagger,
  'swagger-ui-bundle.js': swagger,
  'start.js': own,
};

/** GET /docs: the description of the API as a page, from our own files alone, so that it works without a network. */
export function docsPage(): RequestHandler {
  const hash = createHash('sha256');
  for (const [name, folder] of Object.entries(files)) hash.update(readFileSync(`${folder}/${name}`));
  const version = hash.digest('hex').slice(0, 12);
  const html = docsHtml(`/api/docs/${version}`);
  const router = Router();
  router.all('/docs', readOnly, (_request, response) => {
    response.set({ 'Cache-Control': 'no-cache', 'Content-Security-Policy': docsPolicy }).type('html').send(html);
  });
  for (const [name, root] of Object.entries(files)) {
    router.all(`/docs/${version}/${name}`, readOnly, (_request, response) => {
      response.set('Cache-Control', KEPT).sendFile(name, { root });
    });
  }
  return router;
}
