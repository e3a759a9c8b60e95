import { makeOutbox, type Outbox, type OutboxGuard } from '../outbox-mail.ts';
import { type OutgoingPush, PUSH_TTL_SECONDS, type Pusher } from './push.ts';

/**
 * The pusher of a machine for development: messages go to the browsers' push services, and to the outbox where a push service
 * can't be reached or the user has no device, so that everything can be tried without a network. The file is opened with
 * the first message, and a message is written once, however many devices it goes to.
 */
export function makeOutboxPusher(real: Pusher, path: string, guard: OutboxGuard): Pusher {
  let opened: Promise<Outbox> | undefined;
  const open = () => {
    opened ??= makeOutbox(path, guard).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  async function append(push: OutgoingPush): Promise<void> {
    const { title, body, url, image } = push.card;
    const outbox = await open();
    await outbox.append({
      id: push.id,
      channel: 'push',
      kind: push.kind,
      to: push.to,
      subject: title,
      text: [body, url, image].filter((line) => line !== null).join('\n'),
      html: '',
      headers: { TTL: String(PUSH_TTL_SECONDS), Urgency: push.isUrgent ? 'high' : 'normal' },
      alertId: push.alertId,
      matchIds: push.matchIds,
      notificationId: push.notificationIds[0] ?? null,
      notificationIds: push.notificationIds,
      sentAt: new Date().toISOString(),
    });
  }
  return {
    sendToNobody: append,
    async send(push, device, signal) {
      const outcome = await real.send(push, device, signal);
      if (outcome.result !== 'retry' || !outcome.isUnreachable) return outcome;
      await append(push);
      return { result: 'accepted' };
    },
    async close() {
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}
