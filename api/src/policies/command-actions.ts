import type { AuditAction } from '../domain/audit-actions.ts';

/** The commands of package.json that run our own code, with the actions that each writes into the audit log. */
export const commandActions: Readonly<Record<string, readonly AuditAction[]>> = {
  'admin:password': ['admin.password.command', 'admin.second-factor.command'],
  quarantine: ['quarantine.retry'],
  sources: ['source.end', 'source.resume'],
  // They change nothing in the database. Stripe keeps a log of what stripe:setup makes there.
  build: [],
  schema: [],
  parse: [],
  place: [],
  'stripe:setup': [],
};
