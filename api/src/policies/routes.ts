/** The credential that authorizes a request to a route. */
type OpenedBy =
  | 'everybody'
  /** The sender's signature over the body. */
  | 'signature'
  /** A secret that the operator has configured. */
  | 'token'
  /** The signed token in the URL, which was mailed or shown to its owner. */
  | 'signed address'
  /** A loopback host name, while the development pages are on. */
  | 'this machine'
  /** The table of operations. */
  | 'operation';

interface Route {
  openedBy: OpenedBy;
  why: string;
}

const vendor = 'Vendors have no session; only their signature is checked.';
const described = 'Describes the API, without personal data.';
const mailed = 'The recipient of the mail may use its links without signing in; only POST changes anything.';
const local = 'Replaces a provider on a machine without one.';
const monitored = 'For proxies and monitoring; reports only the health.';
const guard = 'Middleware that only refuses.';

/**
 * Every route that runs no GraphQL operation, by method and path; without a method, a mounted router. A test finds
 * routes without a row.
 */
export const routes: Readonly<Record<string, Route>> = {
  '/graphql': { openedBy: 'operation', why: 'Each field of an operation has its row.' },
  '/api': { openedBy: 'operation', why: 'Calls have the rows of their operations; the rest is 404.' },
  'GET /livez': { openedBy: 'everybody', why: monitored },
  'GET /readyz': { openedBy: 'everybody', why: monitored },
  'GET /healthz': { openedBy: 'everybody', why: monitored },
  'POST /api/webhooks/stripe': { openedBy: 'signature', why: vendor },
  'ALL /api/webhooks/stripe': { openedBy: 'everybody', why: 'Answers 405 to all but POST.' },
  'POST /api/webhooks/sendgrid': { openedBy: 'signature', why: vendor },
  'ALL /api/webhooks/sendgrid': { openedBy: 'everybody', why: 'Answers 405 to all but POST.' },
  'POST /api/webhooks/twilio': { openedBy: 'signature', why: vendor },
  'ALL /api/webhooks/twilio': { openedBy: 'everybody', why: 'Answers 405 to all but POST.' },
  'ALL /api/ingest/:source': { openedBy: 'token', why: 'Checks the token before the body is read.' },
  'POST /api/ingest/:source': { openedBy: 'token', why: 'Programs of the operator push listings, without an account.' },
  'ALL /api/openapi.json': { openedBy: 'everybody', why: described },
  'ALL /api/docs': { openedBy: 'everybody', why: described },
  'ALL /api/docs/:file': { openedBy: 'everybody', why: described },
  'GET /m/:token': { openedBy: 'signed address', why: mailed },
  'POST /m/:token': { openedBy: 'signed address', why: mailed },
  'ALL /m/:token': { openedBy: 'everybody', why: 'Answers 405 to all but GET and POST.' },
  'GET /confirm-email/:token': { openedBy: 'signed address', why: mailed },
  'POST /confirm-email/:token': { openedBy: 'signed address', why: mailed },
  'ALL /confirm-email/:token': { openedBy: 'everybody', why: 'Answers 405 to all but GET and POST.' },
  'POST /quick-alert': { openedBy: 'everybody', why: 'Checks the form of the landing page, and stores nothing.' },
  'GET /photos/:name/:index': {
    openedBy: 'signed address',
    why: 'Mails show photos, and mail programs have no session.',
  },
  '/photos': { openedBy: 'everybody', why: 'Answers 404 to all other paths.' },
  'GET /.well-known/security.txt': { openedBy: 'everybody', why: 'RFC 9116 requires public access.' },
  'GET /robots.txt': { openedBy: 'everybody', why: 'For crawlers, which have no session.' },
  'GET /sitemap.xml': { openedBy: 'everybody', why: 'For crawlers, which have no session.' },
  '/assets': { openedBy: 'everybody', why: 'The web app’s own files hold nobody’s data.' },
  '/dev': { openedBy: 'this machine', why: guard },
  '/demo': { openedBy: 'this machine', why: local },
  '/api/debug': { openedBy: 'this machine', why: guard },
  'GET /dev/outbox': { openedBy: 'this machine', why: local },
  'GET /dev/outbox/:id': { openedBy: 'this machine', why: local },
  'GET /dev/outbox/:id/text': { openedBy: 'this machine', why: local },
  'GET /dev/checkout/:id': { openedBy: 'this machine', why: local },
  'POST /dev/checkout/:id': { openedBy: 'this machine', why: local },
  'GET /dev/portal/:id': { openedBy: 'this machine', why: local },
  'POST /dev/portal/:id': { openedBy: 'this machine', why: local },
};
