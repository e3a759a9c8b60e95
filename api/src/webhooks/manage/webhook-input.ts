import { setTimeout as sleep } from 'node:timers/promises';
import { controlCharacters } from '../../domain/form-rules.ts';
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

const webhookBounds = { url: 2_000, description: 200 } as const;
/** A silent name server does not make an address invalid: it is checked again at each delivery. */
const RESOLVE_MS = 2_000;

async function urlFault(
  text: string,
  { allowPrivateNetwork, allowHttp, resolve }: WebhookTargets,
): Promise<string | null> {
  if (text === '') return 'The address is required';
  if (text.length > webhookBounds.url) return `The address can have at most ${webhookBounds.url} characters`;
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
  if (events.length === 0) return 'Choose at least one event';
  const unknown = events.find((type) => !isWebhookEventType(type));
  return unknown === undefined ? null : `Events are ${webhookEventTypes.join(', ')}`;
}

/** Validates the given fields. @returns a message for each invalid field, by its name */
export async function webhookFaults(fields: WebhookFields, targets: WebhookTargets): Promise<Record<string, string>> {
  const { url, events, description } = fields;
  const faults: Record<string, string> = {};
  const note = (name: string, fault: string | null) => {
    if (fault !== null) faults[name] = fault;
  };
  if (typeof url === 'string') note('url', await urlFault(url.trim(), targets));
  if (events) note('events', eventsFault(events));
  if (typeof description === 'string') {
    if (description.length > webhookBounds.description)
      note('description', `The description can have at most ${webhookBounds.description} characters`);
    else if (controlCharacters.test(description)) note('description', 'The description must be one line of text');
  }
  return faults;
}
