import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';
import { closure } from './closure.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The sources without which a page can't be read offline; what they import comes with them. */
const offlineSources = [
  '/src/pages/alerts/DashboardPage.tsx',
  '/src/pages/alerts/MyAlertsPage.tsx',
  '/src/pages/alerts/AlertPage.tsx',
  '/src/lib/server/client/live-link.ts',
  '/src/lib/server/offline/offline-answers.ts',
  '/src/live/store-while-shown.ts',
  '/src/features/listings/notes/NoteEditor.tsx',
  '/src/shell/AccountMenu.tsx',
  '/src/shell/MobileMenu.tsx',
];
type Define = Record<string, string>;

/** Bundles one worker into a script without imports, as some browsers run no module as a worker. */
async function bundle(entry: string, define: Define): Promise<string> {
  const made = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: { 'process.env.NODE_ENV': '"production"', ...define },
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: here(`../worker/${entry}`), formats: ['iife'], name: 'worker', fileName: 'worker' },
    },
  });
  const [output] = [made].flat();
  if (!output || !('output' in output)) throw new Error(`${entry} was not built`);
  return output.output[0].code;
}

/**
 * Builds the service worker with the list of files that it stores, and the one that replaces it to get rid of it. The
 * version of the app is the name of its first script, by which a page knows its own too.
 */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    configureServer(server) {
      // Without a build there are no files to store, but notifications.
      server.middlewares.use('/service-worker.js', (_request, response, next) => {
        bundle('push-only.ts', {}).then((code) => {
          response.setHeader('Content-Type', 'text/javascript');
          response.end(code);
        }, next);
      });
    },
    async generateBundle(_options, bundled) {
      const chunks = Object.values(bundled).filter((output) => output.type === 'chunk');
      const first = chunks.find(({ isEntry }) => isEntry);
      if (!first) this.error('The app has no first script');
      const offline = offlineSources.map((source) => {
        const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(source)));
        if (!chunk) this.error(`service-worker.ts names a source that is in no script: ${source}`);
        return chunk.fileName;
      });
      const scripts = closure([first.fileName, ...offline], chunks);
      // Scripts that are loaded later wait for the style sheet too, though the page has it inline.
      const styles = Object.keys(bundled).filter((file) => /\.(woff2|css)$/.test(file));
      const hashed = [...scripts, ...styles].map((file) => ({ url: `/${file}`, revision: null }));
      const page = readFileSync(here('../index.html'), 'utf8');
      // The page's own files have no hash in their names.
      const plain = [...page.matchAll(/ (?:src|href)="\/([\w-]+\.(?:js|svg))"/g)].map(([, file = '']) => ({
        url: `/${file}`,
        revision: hash(readFileSync(here(`../public/${file}`))),
      }));
      const shell = { url: '/app-shell', revision: hash(JSON.stringify([hashed, page])) };
      const define = { FILES: JSON.stringify([shell, ...plain, ...hashed]), VERSION: JSON.stringify(first.fileName) };
      this.emitFile({
        type: 'asset',
        fileName: 'service-worker.js',
        source: await bundle('service-worker.ts', define),
      });
      this.emitFile({ type: 'asset', fileName: 'push-worker.js', source: await bundle('push-only.ts', {}) });
    },
  };
}

const hash = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex').slice(0, 12);
