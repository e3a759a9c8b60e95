import { webhookSchema } from '../../domain/forms/webhook.ts';
import { type Faults, validateForm } from '../../domain/validate-form.ts';
import { isWebhookEventType, webhookEventTypes } from '../../domain/webhooks/message.ts';
import { type PostTargets, targetFault } from '../../vendors/target-fault.ts';

export interface WebhookFields {
  url?: string | null | undefined;
  events?: readonly string[] | null | undefined;
  description?: string | null | undefined;
}

function eventsFault(events: readonly string[]): string | null {
  const unknown = events.find((type) => !isWebhookEventType(type));
  return unknown === undefined ? null : `Events are ${webhookEventTypes.join(', ')}`;
}

const names = ['url', 'events', 'description'] as const;

/** Validates the given fields. @returns a message for each invalid field, by its name */
export async function webhookFaults(fields: WebhookFields, targets: PostTargets): Promise<Faults> {
  const { url, events } = fields;
  const given = names.filter((name) => fields[name] !== undefined && fields[name] !== null);
  const { faults } = validateForm(webhookSchema.pick(given), fields);
  const found = {
    url: faults.url ?? (typeof url === 'string' ? await targetFault(url.trim(), targets) : null),
    events: faults.events ?? (events ? eventsFault(events) : null),
    description: faults.description ?? null,
  };
  return Object.fromEntries(Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== null));
}
