import type { EntityManager } from '@mikro-orm/postgresql';

export interface AccountMail {
  /** `email-taken` tells an owner that somebody else used the address. */
  kind: 'confirm' | 'email-taken';
  userId: number;
  to: string;
}

/** Puts a mail into the outbox table in the caller's transaction. */
export type QueueAccountMail = (em: EntityManager, mail: AccountMail) => Promise<void>;
