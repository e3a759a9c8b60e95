import type { DeletionRequest_RequestFragment } from '../../../gql/graphql.ts';

export type DeletionRequest = DeletionRequest_RequestFragment;

/** Characters of a reason that the list shows. */
const PREVIEW = 50;

/** The first 50 characters, as people count them. */
export function reasonPreview(reason: string): string {
  const characters = Array.from(
    new Intl.Segmenter('en').segment(reason.replaceAll(/\s+/g, ' ')),
    ({ segment }) => segment,
  );
  return characters.length > PREVIEW ? `${characters.slice(0, PREVIEW).join('').trimEnd()}...` : characters.join('');
}

/** 'ana (12)'; 'deleted user 12' once the account is erased. */
export function requesterText({ username, userId }: Pick<DeletionRequest, 'username' | 'userId'>): string {
  return username == null ? `deleted user ${userId}` : `${username} (${userId})`;
}

/** Which states the dialog offers: the one it has, for other notes, and what may be decided. */
export function isChoosable({ status, decisions }: Pick<DeletionRequest, 'status' | 'decisions'>, to: string): boolean {
  const isOpen = status === 'pending' || status === 'approved';
  return (isOpen && to === status) || decisions.some((decision) => decision === to);
}

export const isClosed = ({ status }: Pick<DeletionRequest, 'status'>): boolean =>
  status === 'rejected' || status === 'completed';
