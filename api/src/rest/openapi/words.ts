import type { Call } from '../calls/call.ts';

/** The first thing that is read of the API. Markdown. */
export const about = `Car alerts, the listings that match them, and the account around them. Send and take JSON.

**Signing in.** \`POST /api/login\` or \`POST /api/register\` answers with a cookie, which goes with every call from then on; on this page the browser does that by itself.

**Errors.** Every error has a \`message\` to show and a \`code\` to act on; \`fields\` says what is wrong by the name of the field. Calls are counted: 429 says in \`Retry-After\` when to go on.

**Reading again.** Answers to GET carry an \`ETag\`: send it in \`If-None-Match\` and get 304 while nothing has changed. Long lists come in pages: \`Link\` has the address of the next.

Everything here is in GraphQL too, at \`/graphql\`, and live there.`;

export const accessWords: Readonly<Record<Call['access'], string>> = {
  anyone: 'Needs no session.',
  user: 'For signed-in users.',
  admin: 'For the admin.',
};

export const tagWords: Readonly<Record<Call['tag'], string>> = {
  Account: 'Who is signed in, and where alerts go',
  Alerts: 'What a user waits for',
  Listings: 'The cars that matched',
  Subscription: 'Plans, and how many alerts they hold',
  Contact: 'A word to those who run this LotWatch',
  Admin: 'What is decided about people’s data',
  Debug: 'Whether plans are in order; not in production',
};
