import type { Client } from '../../base/database.ts';
import type { MailData } from '../../entities/shared/queue-mail.ts';
import { tellOwner } from '../../entities/shared/tell-owner.ts';

interface WebhookNews {
  what: MailData['webhook_changed']['what'];
  url: string;
  /** Where it led before. */
  urlBefore?: string;
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? '';

/** Tells a webhook's owner by mail what became of it. */
export function tellOfWebhook(
  client: Client,
  confirmEmail: boolean,
  viewer: { id: number; key?: object | null | undefined },
  { what, url, urlBefore }: WebhookNews,
): Promise<void> {
  const hostBefore = urlBefore === undefined ? null : hostOf(urlBefore);
  const data = { at: new Date().toISOString(), what, host: hostOf(url), hostBefore, byKey: Boolean(viewer.key) };
  return tellOwner(client, { userId: viewer.id, kind: 'webhook_changed', data, confirmEmail });
}
