/**
 * The actions in the audit log, by their stable name, with the text that is shown. The log is searched by the names, so
 * none of them is ever changed.
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
  'messages.discard': 'Marked messages as sent after a restore',
  'messages.compare': 'Compared a restored database with the one that was lost',
  'messages.hold': 'Held messages after a restore',
  'messages.release': 'Released messages after a restore',
  'quarantine.dismiss': 'Dismissed quarantined records',
  'quarantine.retry': 'Tried quarantined records again',
  'source.create': 'Made a source',
  'source.end': 'Ended a source',
  'source.resume': 'Resumed a source',
  'source.try': 'Tried a source',
  'source.update': 'Edited a source',
} as const;

export type AuditAction = keyof typeof auditActions;

/** Who acted. A failed login as the admin is a visitor's. */
export type AuditActor = 'admin' | 'command' | 'visitor';

/** One row of the log. It never names a person: subjects are ids. */
export interface AuditEntry {
  actor: AuditActor;
  action: AuditAction;
  /** 'deletion request DR-7F3K2Q', 'user 12'; null where there is none. */
  subject: string | null;
  /** 'done', the new status of a request, or the code of the error. */
  outcome: string;
}

/** The text that is shown for an action; a name that is not known any more is shown as it is. */
export function auditLabel(action: string): string {
  return Object.hasOwn(auditActions, action) ? auditActions[action as AuditAction] : action;
}
