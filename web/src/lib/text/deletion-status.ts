/** States of a deletion request, in the order in which they follow. */
export const deletionStatuses = ['pending', 'approved', 'rejected', 'completed'] as const;

export type DeletionStatusName = (typeof deletionStatuses)[number];

const words: Record<DeletionStatusName, string> = {
  pending: 'Pending',
  approved: 'Approved',
  rejected: 'Rejected',
  completed: 'Completed',
};

const tones = { pending: 'beam', approved: 'brand', rejected: 'bad', completed: 'quiet' } as const;

export const deletionStatusText = (status: DeletionStatusName): string => words[status];

/** The badge's tone. */
export const deletionStatusTone = (status: DeletionStatusName) => tones[status];
