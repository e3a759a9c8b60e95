import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { inlineDocuments } from './vite/inline-documents.ts';
import { pageList } from './vite/page-list.ts';
import { precompress } from './vite/precompress.ts';

const sources = fileURLToPath(new URL('src', import.meta.url));

/** The two fonts are in the first paint, so the page asks for them before the style sheet is read. */
function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        return Object.keys(bundle ?? {})
          .filter((file) => file.endsWith('.woff2'))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: '' },
            injectTo: 'head-prepend' as const,
          }));
      },
    },
  };
}

const api = process.env.API ?? 'http://localhost:4000';

export default defineConfig({
  plugins: [inlineDocuments(sources), react(), preloadFonts(), pageList(`${sources}/routes.tsx`), precompress()],
  build: { target: 'es2022', outDir: 'dist', emptyOutDir: true, assetsInlineLimit: 0 },
  server: {
    proxy: {
      '/graphql': { target: api, ws: true },
      '/api': api,
      '/dev': api,
      '/m': api,
    },
  },
});
