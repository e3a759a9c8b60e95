import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { memberPages, openPages } from '../src/page-table.ts';
import { inlineDocuments } from './inline-documents.ts';
import { trimChakra } from './trim-chakra.ts';

const drawn = new Set(
  [...openPages, ...memberPages.filter(({ asks }) => asks)].map(({ file }) => `/src/pages/${file}.tsx`),
);

/** The module that draws pages on the server. It holds all that it needs, and nothing of the other pages. */
export default defineConfig({
  plugins: [
    inlineDocuments(),
    trimChakra(),
    react(),
    {
      name: 'drawn-pages-only',
      load: {
        filter: { id: /\/src\/(pages\/.*Page|shell\/MobileMenu)\.tsx$/ },
        handler(id) {
          const file = id.slice(id.indexOf('/src/'));
          return drawn.has(file) ? null : 'export {};';
        },
      },
    },
  ],
  define: { 'process.env.NODE_ENV': '"production"', 'import.meta.env.MAP_FILES': '""' },
  ssr: { noExternal: true, target: 'node' },
  build: {
    target: 'node20',
    ssr: 'src/server.tsx',
    outDir: 'dist/server',
    emptyOutDir: true,
    copyPublicDir: false,
    minify: true,
    rolldownOptions: { output: { entryFileNames: 'draw.mjs', chunkFileNames: '[name]-[hash].mjs' } },
  },
});
