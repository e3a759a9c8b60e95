import { createRequire } from 'node:module';
import type sendgrid from '@sendgrid/mail';
import { trimEnd } from '../base/trim-end.ts';

const require = createRequire(import.meta.url);

export interface SendgridSettings {
  apiKey: string;
  /** The address of a server in place of SendGrid's own. */
  apiBase: string | undefined;
  timeoutMs?: number;
}

type Service = typeof sendgrid;

interface Client {
  setDefaultRequest(name: 'baseUrl', value: string): void;
  request(what: { method: 'DELETE'; url: string }): Promise<unknown>;
}

const isClient = (value: unknown): value is Client =>
  typeof value === 'object' &&
  value !== null &&
  'setDefaultRequest' in value &&
  typeof value.setDefaultRequest === 'function' &&
  'request' in value &&
  typeof value.request === 'function';

/** The service's own client, which its types leave out. */
function clientOf(service: Service): Client {
  if ('client' in service && isClient(service.client)) return service.client;
  throw new Error("SendGrid's service has no client.");
}

/** Makes SendGrid's official mail service, and the client that it calls its API with. */
export function makeSendgridService(settings: SendgridSettings): { service: Service; client: Client } {
  // Most installations outside production do without it, and it takes megabytes.
  const shared = require('@sendgrid/mail') as Service;
  const service = new (shared.constructor as new () => Service)();
  const client = clientOf(service);
  service.setApiKey(settings.apiKey);
  service.setTimeout(settings.timeoutMs ?? 15_000);
  if (settings.apiBase) client.setDefaultRequest('baseUrl', `${trimEnd(settings.apiBase, '/')}/`);
  return { service, client };
}
