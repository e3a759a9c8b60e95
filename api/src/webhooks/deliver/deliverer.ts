import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../../base/database.ts';
import type { Log } from '../../base/log.ts';
import { claimMessages, type Message, SEND_WITHIN_MS, untilNextMessage } from './claim-messages.ts';
import { type SendParts, sendMessage } from './send-message.ts';
import { giveBack, type SettleOptions, settleMessage } from './settle-message.ts';

export interface DelivererParts extends SendParts, Partial<SettleOptions> {
  pool: Pool;
  log: Log;
  confirmEmail: boolean;
  /** What was claimed longer ago is not sent. */
  sendWithinMs?: number;
}

export interface Deliverer {
  /** Starts all that may leave now, and waits for none of it: who is slow holds up nobody. */
  run(): Promise<{ nextInMs: number | null }>;
  /** Settles when nothing is under way. */
  idle(): Promise<void>;
}

/** Of one process, to all webhooks together. */
const AT_ONCE = 200;
/** What ends within this time is followed by one claim: each looks at all webhooks that anything waits for. */
const GATHER_MS = 10;

/** Sends messages of webhooks, many at once; as soon as one is done the next may leave. */
export function makeDeliverer(parts: DelivererParts): Deliverer {
  const { pool, log, signal, sendWithinMs = SEND_WITHIN_MS } = parts;
  const options = { confirmEmail: parts.confirmEmail, random: parts.random ?? Math.random };
  const underWay = new Set<Promise<void>>();
  let pumping: Promise<void> | undefined;
  let soon: Promise<void> | undefined;
  let again = false;

  async function deliver(message: Message): Promise<void> {
    try {
      // Another worker may be sending it by now.
      if (performance.now() - message.askedAtMs > sendWithinMs) return await giveBack(pool, message);
      const outcome = await sendMessage(parts, message, new Date());
      await settleMessage(pool, message, outcome, options);
    } catch (error) {
      // Left behind, a message is tried again when its lease is over.
      if (signal.aborted) await giveBack(pool, message).catch(() => {});
      else log.error('a webhook message could not be settled', { message: message.messageId, error });
    }
  }

  function pumpSoon(): void {
    soon ??= sleep(GATHER_MS).then(() => {
      soon = undefined;
      return pump().catch((error: unknown) => log.warn('webhook messages could not be claimed', { error }));
    });
  }

  function start(message: Message): void {
    const one = deliver(message).finally(() => {
      underWay.delete(one);
      pumpSoon();
    });
    underWay.add(one);
  }

  async function claimAll(): Promise<void> {
    for (;;) {
      const room = AT_ONCE - underWay.size;
      if (room <= 0 || signal.aborted) return;
      const claimed = await claimMessages(pool, room);
      if (claimed.length === 0) return;
      for (const message of claimed) start(message);
    }
  }

  async function fill(): Promise<void> {
    try {
      do {
        again = false;
        await claimAll();
      } while (again);
    } finally {
      pumping = undefined;
    }
  }

  function pump(): Promise<void> {
    if (pumping) {
      again = true;
      return pumping;
    }
    pumping = fill();
    return pumping;
  }

  return {
    async run() {
      await pump();
      return { nextInMs: signal.aborted ? null : await untilNextMessage(pool) };
    },
    async idle() {
      while (underWay.size > 0 || soon || pumping) await Promise.allSettled([...underWay, soon, pumping]);
    },
  };
}
