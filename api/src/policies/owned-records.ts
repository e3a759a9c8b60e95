import { AppError } from '../base/errors.ts';
import type { Alert } from '../entities/alert.ts';
import type { Webhook } from '../entities/webhook.ts';

/** An alert is its owner's alone, to see and to change; to anyone else it doesn't exist. */
export function canSeeAlert(viewer: { id: number }, alert: Pick<Alert, 'userId'>): boolean {
  return alert.userId === viewer.id;
}

/** A webhook is its owner's alone, to see and to change; to anyone else it doesn't exist. */
export function canSeeWebhook(viewer: { id: number }, webhook: Pick<Webhook, 'userId'>): boolean {
  return webhook.userId === viewer.id;
}

/**
 * Where a webhook leads is decided by people who are signed in: a key that leaked would otherwise be followed by what
 * goes on when it has ended.
 * @throws AppError FORBIDDEN
 */
export function requireMayAddress(viewer: { key?: object | null | undefined }): void {
  if (!viewer.key) return;
  throw new AppError(
    'FORBIDDEN',
    'API keys may not say where a webhook leads: it is only for people who are signed in.',
  );
}
