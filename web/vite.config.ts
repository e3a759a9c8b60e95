import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { inlineDocuments } from './vite/inline-documents.ts';
import { mapFiles } from './vite/map-files.ts';
import { pageList } from './vite/page-list.ts';
import { precompress } from './vite/precompress.ts';
import { preloadFonts } from './vite/preload-fonts.ts';
import { serviceWorker } from './vite/service-worker.ts';
import { trimChakra } from './vite/trim-chakra.ts';

/** One kilobyte of CSS costs less in the page than a request of its own before the first paint. */
function inlineStyles(): Plugin {
  return {
    name: 'inline-styles',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const page = bundle['index.html'];
      if (page?.type !== 'asset' || typeof page.source !== 'string') return;
      page.source = page.source.replace(/<link rel="stylesheet"[^>]*href="\/([^"]+)">/g, (whole, file: string) => {
        const sheet = bundle[file];
        if (sheet?.type !== 'asset') return whole;
        return `<style>${String(sheet.source)}</style>`;
      });
    },
  };
}

/** What every page needs comes in few files: a browser asks for six at a time. The sections of some pages come with them. */
const groups = [
  { name: 'base', test: /\/web\/src\/(ui\/(parts(?!\/sections)|theme)|lib\/(state|text))\/.*\.tsx?$/ },
  {
    name: 'vendor',
    test: /\/node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|@emotion|stylis)\//,
  },
];

const api = process.env.API ?? 'http://localhost:4000';

export default defineConfig({
  plugins: [
    inlineDocuments(),
    trimChakra(),
    react(),
    preloadFonts(),
    inlineStyles(),
    pageList(),
    mapFiles(),
    serviceWorker(),
    precompress(),
  ],
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
  server: {
    proxy: {
      '/graphql': { target: api, ws: true },
      '/api': api,
      '/dev': api,
      '/m': api,
      '/confirm-email': api,
    },
  },
});
