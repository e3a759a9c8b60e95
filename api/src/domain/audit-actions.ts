/**
 * What the audit log tells of: by its stable name, in words. Who searches the log does so by the name, so that none is
 * ever changed.
 */
export const auditActions = {
  'admin.login': 'Signed in',
  'admin.password.change': 'Changed the own password',
  'admin.password.command': 'Set the password of the admin by command',
  'admin.password.reset': 'Reset the own password by mail',
  'admin.profile.change': 'Changed the own contact info',
  'admin.recovery-codes.renew': 'Made new recovery codes for the own account',
  'admin.second-factor.command': 'Ended the second factor of the admin by command',
  'admin.second-factor.off': 'Ended the own second factor',
  'admin.second-factor.on': 'Set up a second factor for the own account',
  'deletion-request.execute': 'Erased a user',
  'deletion-request.update': 'Updated a deletion request',
  'quarantine.dismiss': 'Dismissed quarantined records',
  'quarantine.retry': 'Tried quarantined records again',
  'source.end': 'Ended a source',
  'source.resume': 'Resumed a source',
} as const;

export type AuditAction = keyof typeof auditActions;

/** Who acted. Whoever fails to sign in as the admin is a visitor. */
export type AuditActor = 'admin' | 'command' | 'visitor';

/** One row: what was done, on what, and how it ended. It never names a person: subjects are ids. */
export interface AuditEntry {
  actor: AuditActor;
  action: AuditAction;
  /** 'deletion request DR-7F3K2Q', 'user 12'; null where there is none. */
  subject: string | null;
  /** 'done', what a request became, or the code of the error that it failed with. */
  outcome: string;
}

/** In words; a name from an older version is shown as it is. */
export function auditLabel(action: string): string {
  return Object.hasOwn(auditActions, action) ? auditActions[action as AuditAction] : action;
}
