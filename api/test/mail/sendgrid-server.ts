import { readFileSync } from 'node:fs';
import { type IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { readBody, startLocalServer } from '../../lab/local-server.ts';

interface SendgridRequest {
  headers: IncomingHttpHeaders;
  body: SendgridBody;
}

interface SendgridBody {
  from: { email: string; name?: string };
  reply_to?: { email: string };
  subject: string;
  personalizations: { to: { email: string }[]; custom_args?: Record<string, string> }[];
  content: { type: string; value: string }[];
  headers: Record<string, string>;
  categories: string[];
  tracking_settings: Record<string, { enable: boolean }>;
}

export interface SendgridServer {
  url: string;
  /** Requests answered with 202, which are valid by SendGrid's own description. */
  accepted: SendgridRequest[];
  /** The answer for the next request in place of the usual one; 'hang up' cuts the connection. */
  next: { status: number; headers?: Record<string, string> } | 'hang up' | null;
  close(): Promise<void>;
}

function bodySchema() {
  const file = readFileSync(new URL('../fixtures/openapi/sendgrid-mail-v3.json', import.meta.url), 'utf8');
  const spec = JSON.parse(file.replaceAll('#/components/schemas/', '#/definitions/'));
  const schema = spec.components.requestBodies.PostMailSend.content['application/json'].schema;
  return z.fromJSONSchema({ ...schema, definitions: spec.components.schemas }, { defaultTarget: 'openapi-3.0' });
}

/**
 * Starts a local server for SendGrid's mail/send, which refuses requests that SendGrid's published description refuses.
 * @param answerMs how long each answer takes @param trusting accepts every request, for benchmarks of the client
 */
export async function startSendgridServer(
  apiKey: string,
  { answerMs = 0, trusting = false } = {},
): Promise<SendgridServer> {
  const schema = trusting ? z.any() : bodySchema();
  const { url, close } = await startLocalServer(async (request, response) => {
    const text = await readBody(request);
    const answer = (status: number, errors: unknown[], headers: Record<string, string> = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify({ errors }));
    };
    if (answerMs > 0) await sleep(answerMs);
    const { next } = state;
    state.next = null;
    if (next === 'hang up') return void request.socket.destroy();
    if (next) return answer(next.status, [{ message: 'as requested' }], next.headers);
    if (request.method !== 'POST' || request.url !== '/v3/mail/send') return answer(404, []);
    if (request.headers.authorization !== `Bearer ${apiKey}`) return answer(401, [{ message: 'unknown key' }]);
    const body: unknown = JSON.parse(text);
    const checked = schema.safeParse(body);
    if (!checked.success) return answer(400, checked.error.issues);
    state.accepted.push({ headers: request.headers, body: body as SendgridBody });
    response.writeHead(202, { 'x-message-id': 'a-message' }).end();
  });
  const state: SendgridServer = { url, accepted: [], next: null, close };
  return state;
}
