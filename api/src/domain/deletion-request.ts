/** The status of a deletion request. */
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

/** The statuses that the admin can set from this one. An approved request is completed only by erasing the account. */
export const decisionsFrom = (status: DeletionStatus): readonly DeletionStatus[] => next[status];

/** Whether a request is open: its user can't make another one, and its notes can be changed. */
export function isOpenRequest(status: DeletionStatus): boolean {
  return status === DeletionStatus.pending || status === DeletionStatus.approved;
}

/** Excludes letters and digits that look alike. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 6;

/**
 * Makes an id that is shown to the user, such as `DR-7F3K2Q`.
 * @param random returns an unpredictable integer from 0 to below its argument
 */
export function makeRequestId(random: (below: number) => number): string {
  return `DR-${Array.from({ length: LENGTH }, () => ALPHABET.charAt(random(ALPHABET.length))).join('')}`;
}
