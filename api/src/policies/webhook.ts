import type { Webhook } from '../entities/webhook.ts';

/** A webhook is its owner's alone, to see and to change; to anyone else it doesn't exist. */
export function canSeeWebhook(viewer: { id: number }, webhook: Pick<Webhook, 'userId'>): boolean {
  return webhook.userId === viewer.id;
}
