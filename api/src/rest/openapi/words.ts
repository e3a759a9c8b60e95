import type { Call } from '../calls/call.ts';
import type { ReadyCall } from '../calls/ready-call.ts';

/** The first thing that is read of the API. Markdown. */
export const about = `Car alerts, the listings that match them, and the account around them. Send and take JSON.

**Signing in.** \`POST /api/login\` or \`POST /api/register\` answers with a cookie, which goes with every call from then on; on this page the browser does that by itself.

**With a key.** On the Elite plan a program sends \`Authorization: Bearer lw_live_…\` instead, and no cookie; make keys on \`/settings/api\`, and press Authorize to try one here. \`RateLimit-Remaining\` says how many of the hour's requests are left.

**Errors.** Every error has a \`message\` to show and a \`code\` to act on; \`fields\` says what is wrong by the name of the field. Calls are counted: 429 says in \`Retry-After\` when to go on.

**Reading again.** Answers to GET carry an \`ETag\`: send it in \`If-None-Match\` and get 304 while nothing has changed. Browsers and caches are told to keep nothing; what your program keeps is up to it. Long lists come in pages: \`Link\` has the address of the next.

Everything here is in GraphQL too, at \`/graphql\`, and live there.`;

const accessWords: Readonly<Record<ReadyCall['access'], string>> = {
  anyone: 'Needs no session.',
  user: 'For signed-in users',
  admin: 'For the admin.',
};

const keyWords: Readonly<Record<ReadyCall['keyAccess'], string>> = {
  read: ', and for API keys.',
  write: ', and for API keys with the scope "write".',
  never: '; not for API keys.',
};

/** Who may call. */
export const accessTextOf = ({ access, keyAccess }: ReadyCall): string =>
  accessWords[access] + (access === 'user' ? keyWords[keyAccess] : '');

export const tagWords: Readonly<Record<Call['tag'], string>> = {
  Account: 'Who is signed in, and where alerts go',
  Alerts: 'What a user waits for',
  Listings: 'The cars that matched',
  Subscription: 'Plans, and how many alerts they hold',
  Contact: 'A word to those who run this LotWatch',
  Admin: 'What is decided about people’s data',
  Debug: 'Whether plans are in order; among the development pages only',
};
