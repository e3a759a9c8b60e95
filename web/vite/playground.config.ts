import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompress } from './precompress.ts';
import { preloadFonts } from './preload-fonts.ts';

/** A build of its own, into the app's folder: what GraphiQL brings can't end up in a file that the app loads. */
export default defineConfig({
  plugins: [react(), preloadFonts(), precompress(9)],
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: false,
    copyPublicDir: false,
    assetsInlineLimit: 0,
    // The editor is one large file; api/decisions says what it costs.
    chunkSizeWarningLimit: 5_000,
    rolldownOptions: { input: 'playground.html' },
  },
  worker: { format: 'es' },
});
