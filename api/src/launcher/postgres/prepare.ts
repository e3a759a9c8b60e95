import type { Layout } from '../../placement/layout.ts';
import { dropBackupSlot } from '../backup/drop-backup-slot.ts';
import { messageOf } from '../processes/message-of.ts';
import { makeAppRole } from './app-role.ts';
import { type Prepared, prepareDatabase } from './prepare-database.ts';

/** What the launcher sends to this process. */
export interface PrepareOrder {
  ownerUrl: string;
  /** The address for API and worker; undefined where their role is to be made. */
  appUrl: string | undefined;
  /** Whether another role owns the tables than that of `appUrl`. */
  hasOwner: boolean;
  adminPassword: string | undefined;
  /** Whether the log of an embedded server is archived. */
  isBackedUp: boolean;
  production: boolean;
  /** How the tables are to lie, if that is asked for. */
  layout: Layout | undefined;
}

/** What this process sends back. */
export type PrepareAnswer = { prepared: Prepared; appUrl: string } | { fault: string };

async function prepare({ ownerUrl, hasOwner, ...order }: PrepareOrder): Promise<PrepareAnswer> {
  try {
    if (order.appUrl === undefined && !order.isBackedUp) await dropBackupSlot(ownerUrl);
    const appUrl = order.appUrl ?? (await makeAppRole(ownerUrl));
    const isOther = order.appUrl === undefined || hasOwner;
    const grantedUrl = isOther ? appUrl : undefined;
    const { adminPassword, production, layout } = order;
    return { prepared: await prepareDatabase(ownerUrl, adminPassword, grantedUrl, production, layout), appUrl };
  } catch (error) {
    return { fault: messageOf(error) };
  }
}

// The launcher has ended, so nothing waits for the answer.
process.on('disconnect', () => process.exit(1));
process.once('message', async (order: PrepareOrder) => {
  const answer = await prepare(order);
  process.send?.(answer, undefined, undefined, () => process.exit(0));
});
