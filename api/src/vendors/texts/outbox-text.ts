import { makeOutbox, type Outbox, type OutboxGuard } from '../outbox-mail.ts';
import type { OutgoingText, Texter } from './text.ts';

interface OutboxTexter extends Texter {
  close(): Promise<void>;
}

const TIMEOUT_MS = 15_000;

/**
 * The texter of a machine without Twilio: appends one JSON line a text, on disk before `send` resolves. The file is
 * opened with the first text.
 */
export function makeOutboxTexter(path: string, guard: OutboxGuard): OutboxTexter {
  let opened: Promise<Outbox> | undefined;
  const open = () => {
    opened ??= makeOutbox(path, guard).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    timeoutMs: TIMEOUT_MS,
    async send(text: OutgoingText) {
      const outbox = await open();
      await outbox.append({
        id: text.id,
        channel: 'sms',
        kind: text.kind,
        to: text.to,
        subject: '',
        text: text.text,
        html: '',
        headers: {},
        alertId: text.alertId,
        matchIds: text.matchIds,
        notificationId: text.notificationIds[0] ?? null,
        notificationIds: text.notificationIds,
        sentAt: new Date().toISOString(),
      });
      return { sid: null };
    },
    async close() {
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}
