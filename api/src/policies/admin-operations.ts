import type { AuditAction } from '../domain/audit-actions.ts';

type Args = Readonly<Record<string, unknown>>;

/** A mutation's name in the audit log, and the ids that it is about. */
export interface LoggedOperation {
  action: AuditAction;
  subject(args: Args): string | null;
}

/** Ids are typed by people: what is none of ours is not written down. */
const idIn = (value: unknown, pattern: RegExp): string => (pattern.test(String(value)) ? String(value) : 'unknown');
const NUMBER = /^[1-9]\d{0,14}$/;
const REQUEST_ID = /^DR-[A-Z0-9]{6}$/;
const SOURCE = /^[a-z0-9-]{1,40}$/;
const CODE = /^[A-Z_]{1,40}$/;
/** More ids than these are counted. */
const IDS_SHOWN = 20;

const adminItself = () => 'user 1';

/** Which records of the quarantine, as in 'records 3, 4 of source north-lot'. */
export function quarantineSubject(filter: Args): string {
  const { source, code } = filter;
  const ids = Array.isArray(filter.ids) ? filter.ids : null;
  const shown = ids?.slice(0, IDS_SHOWN).map((id) => idIn(id, NUMBER));
  const more = ids && ids.length > IDS_SHOWN ? ` and ${ids.length - IDS_SHOWN} more` : '';
  return [
    shown ? `records ${shown.join(', ')}${more}` : 'all records',
    source ? `of source ${idIn(source, SOURCE)}` : '',
    code ? `with ${idIn(code, CODE)}` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** What only the admin reads. */
export const adminQueries: ReadonlySet<string> = new Set([
  'auditLog',
  'deletionRequests',
  'quarantine',
  'sourceHealth',
  'unknownTexts',
]);

/** What only the admin does. A test finds every such mutation that does not stand here. */
export const adminMutations: Readonly<Record<string, LoggedOperation>> = {
  dismissQuarantined: { action: 'quarantine.dismiss', subject: quarantineSubject },
  executeDeletion: {
    action: 'deletion-request.execute',
    subject: ({ userId }) => `user ${idIn(userId, NUMBER)}`,
  },
  retryQuarantined: { action: 'quarantine.retry', subject: quarantineSubject },
  updateDeletionRequest: {
    action: 'deletion-request.update',
    subject: ({ requestId }) => `deletion request ${idIn(requestId, REQUEST_ID)}`,
  },
};

/** What everybody does to the own account, and is logged of the admin's. Signing in and resetting know no viewer yet. */
export const adminAccountMutations: Readonly<Record<string, LoggedOperation>> = {
  changePassword: { action: 'admin.password.change', subject: adminItself },
  updateProfile: { action: 'admin.profile.change', subject: adminItself },
};

/** What is logged when the admin does it, by the mutation's name. */
export function loggedOperation(mutation: string): LoggedOperation | undefined {
  const all = { ...adminMutations, ...adminAccountMutations };
  return Object.hasOwn(all, mutation) ? all[mutation] : undefined;
}

/** The commands of package.json that run our own code, with the actions that each writes into the audit log. */
export const commandActions: Readonly<Record<string, readonly AuditAction[]>> = {
  'admin:password': ['admin.password.command'],
  quarantine: ['quarantine.retry'],
  sources: ['source.end', 'source.resume'],
  // They change nothing in the database. Stripe keeps a log of what stripe:setup makes there.
  build: [],
  schema: [],
  parse: [],
  place: [],
  'stripe:setup': [],
};
