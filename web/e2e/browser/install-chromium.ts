import { findChromium } from './find-chromium.ts';

// Run by `npm test` beside its first tests, so that those in the browser need not wait for a download.
findChromium();
