import { inTransaction, type Pool } from '../../base/database.ts';
import { AppError, refuseInvalid } from '../../base/errors.ts';
import type { Seal } from '../../base/seal.ts';
import { MAX_WEBHOOKS } from '../../domain/webhooks/event-types.ts';
import { newWebhookSecret } from '../../domain/webhooks/sign-message.ts';
import { startPosition } from '../events/read-new-matches.ts';
import { readWebhook, requireElite, type ShownWebhook } from './own-webhook.ts';
import { tellOfWebhook } from './tell-of-webhook.ts';
import { type WebhookFields, type WebhookTargets, webhookFaults } from './webhook-input.ts';

export interface WebhookDeps {
  pool: Pool;
  seal: Seal;
  targets: WebhookTargets;
  /** Whether an unconfirmed address gets no mail. */
  confirmEmail: boolean;
}

export interface NewWebhook {
  webhook: ShownWebhook;
  /** `whsec_…`: told this once. */
  secret: string;
}

const TOO_MANY = `You have ${MAX_WEBHOOKS} webhooks. Please delete one to create another.`;

/**
 * Makes a webhook that is told of what happens from now on.
 * @throws AppError VALIDATION with `fields`, PLAN_REQUIRED, CONFLICT at the tenth
 */
export async function createWebhook(
  { pool, seal, targets, confirmEmail }: WebhookDeps,
  viewer: { id: number },
  fields: WebhookFields & { url: string; events: readonly string[] },
): Promise<NewWebhook> {
  await requireElite(pool, viewer);
  refuseInvalid(await webhookFaults(fields, targets));
  const secret = newWebhookSecret();
  return inTransaction(pool, async (client) => {
    // One after another, so that parallel calls count each other's.
    await requireElite(client, viewer, 'for update');
    const { rows } = await client.query<{ count: number }>(
      'select count(*)::int4 as count from webhooks where user_id = $1',
      [viewer.id],
    );
    if ((rows[0]?.count ?? 0) >= MAX_WEBHOOKS) throw new AppError('CONFLICT', TOO_MANY);
    if (fields.events.includes('match.created')) await startPosition(client, viewer.id);
    const made = await client.query<{ id: number }>(
      'insert into webhooks (user_id, url, events, description, secret_box) values ($1, $2, $3, $4, $5) returning id',
      [viewer.id, fields.url.trim(), [...new Set(fields.events)], fields.description ?? '', seal.close(secret)],
    );
    await tellOfWebhook(client, confirmEmail, viewer, { what: 'added', url: fields.url.trim() });
    return { webhook: await readWebhook(client, viewer, made.rows[0]?.id ?? 0), secret };
  });
}
