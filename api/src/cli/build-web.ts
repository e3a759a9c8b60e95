import { buildWeb } from '../launcher/web-build.ts';

// For images: a start from one finds the web app built.
const built = await buildWeb(new AbortController().signal);
process.stderr.write(built ? 'The web app is built.\n' : 'The web app is up to date.\n');
