import { setTimeout as sleep } from 'node:timers/promises';
import { webhookSchema } from '../../domain/forms/webhook.ts';
import { type Faults, validateForm } from '../../domain/validate-form.ts';
import { isWebhookEventType, webhookEventTypes } from '../../domain/webhooks/message.ts';
import { readTarget } from '../../vendors/post-guarded.ts';
import { checkedAddresses, type Resolve, resolveByDns, WebFetchError } from '../../vendors/web-fetch-guard.ts';

export interface WebhookFields {
  url?: string | null | undefined;
  events?: readonly string[] | null | undefined;
  description?: string | null | undefined;
}

/** The addresses that webhooks may have. */
export interface WebhookTargets {
  /** Allows addresses of private networks, for trials; never in production. */
  allowPrivateNetwork: boolean;
  /** Allows http beside https; never in production. */
  allowHttp: boolean;
  resolve?: Resolve;
}

/** A silent name server does not make an address invalid: it is checked again at each delivery. */
const RESOLVE_MS = 2_000;

async function urlFault(
  text: string,
  { allowPrivateNetwork, allowHttp, resolve }: WebhookTargets,
): Promise<string | null> {
  // URL parsers drop these characters, so that the shown address would mislead.
  if (/[\s\p{C}]/u.test(text)) return 'The address can not be read.';
  try {
    const url = readTarget(text, allowHttp);
    const checked = checkedAddresses(url, { allowPrivateNetwork, resolve: resolve ?? resolveByDns });
    checked.catch(() => {});
    await Promise.race([checked, sleep(RESOLVE_MS, undefined, { ref: false })]);
  } catch (error) {
    if (!(error instanceof WebFetchError)) throw error;
    if (error.code === 'BAD_URL') return error.message;
    if (error.code === 'PRIVATE_ADDRESS') return 'The address leads into a private network';
  }
  return null;
}

function eventsFault(events: readonly string[]): string | null {
  const unknown = events.find((type) => !isWebhookEventType(type));
  return unknown === undefined ? null : `Events are ${webhookEventTypes.join(', ')}`;
}

const names = ['url', 'events', 'description'] as const;

/** Validates the given fields. @returns a message for each invalid field, by its name */
export async function webhookFaults(fields: WebhookFields, targets: WebhookTargets): Promise<Faults> {
  const { url, events } = fields;
  const given = names.filter((name) => fields[name] !== undefined && fields[name] !== null);
  const { faults } = validateForm(webhookSchema.pick(given), fields);
  const found = {
    url: faults.url ?? (typeof url === 'string' ? await urlFault(url.trim(), targets) : null),
    events: faults.events ?? (events ? eventsFault(events) : null),
    description: faults.description ?? null,
  };
  return Object.fromEntries(Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== null));
}
