import { buildWeb } from '../launcher/web-build.ts';

// Used when container images are built.
const built = await buildWeb(new AbortController().signal);
process.stderr.write(built ? 'The web app is built.\n' : 'The web app is up to date.\n');
