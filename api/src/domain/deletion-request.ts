/** Where a deletion request stands. */
export enum DeletionStatus {
  pending = 'pending',
  approved = 'approved',
  rejected = 'rejected',
  completed = 'completed',
}

const next: Record<DeletionStatus, readonly DeletionStatus[]> = {
  pending: [DeletionStatus.approved, DeletionStatus.rejected],
  approved: [],
  rejected: [],
  completed: [],
};

/** What the admin may decide about a request in this state. Only erasing the account completes an approved one. */
export const decisionsFrom = (status: DeletionStatus): readonly DeletionStatus[] => next[status];

/** While a request is open its account can't make another, and its notes can be changed. */
export function isOpenRequest(status: DeletionStatus): boolean {
  return status === DeletionStatus.pending || status === DeletionStatus.approved;
}

/** Without letters and digits that look alike. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 6;

/**
 * `DR-7F3K2Q`.
 * @param random a whole number from 0 to below its argument, which nobody can guess
 */
export function makeRequestId(random: (below: number) => number): string {
  return `DR-${Array.from({ length: LENGTH }, () => ALPHABET.charAt(random(ALPHABET.length))).join('')}`;
}
