import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { openPages } from '../src/page-table.ts';
import { inlineDocuments } from './inline-documents.ts';

const open = new Set(openPages.map(({ file }) => `/src/pages/${file}.tsx`));

/** The module that draws public pages on the server. It holds all that it needs, and nothing of the other pages. */
export default defineConfig({
  plugins: [
    inlineDocuments(),
    react(),
    {
      name: 'public-pages-only',
      load: {
        filter: { id: /\/src\/(pages\/.*Page|live\/LiveFrame|shell\/(MobileMenu|NotificationBell|AccountMenu))\.tsx$/ },
        handler(id) {
          const file = id.slice(id.indexOf('/src/'));
          return open.has(file) ? null : 'export const LiveFrame = null;';
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
