import { Webhook } from 'standardwebhooks';
import { readBody, startLocalServer } from '../../lab/local-server.ts';

export interface Received {
  id: string;
  headers: Record<string, string>;
  type: string;
  cursor: number;
  // biome-ignore lint/suspicious/noExplicitAny: the event decides the shape
  data: any;
  body: string;
}

/** An answer: a status, a status with headers, none ('hang'), or a closed connection ('cut'). */
type Answer = number | 'hang' | 'cut' | { status: number; headers?: Record<string, string>; body?: string };

export interface Receiver {
  url: string;
  /** Requests with a valid signature that were answered with 2xx. */
  accepted: Received[];
  /** Every request with a valid signature. */
  seen: Received[];
  /** Errors of requests with an invalid signature. */
  forged: string[];
  /** The largest number of requests that were open at the same time. */
  maxConcurrent: number;
  secret: string;
  answer: (received: Received) => Answer | Promise<Answer>;
  close(): void;
}

/** Starts a dealer's server, which verifies signatures with the published library of Standard Webhooks. */
export async function startReceiver(port = 0): Promise<Receiver> {
  let open = 0;
  const receiver: Receiver = {
    url: '',
    accepted: [],
    seen: [],
    forged: [],
    maxConcurrent: 0,
    secret: '',
    answer: () => 200,
    close: () => void server.close(),
  };
  const server = await startLocalServer(async (request, response) => {
    open += 1;
    response.on('close', () => {
      open -= 1;
    });
    receiver.maxConcurrent = Math.max(receiver.maxConcurrent, open);
    const body = await readBody(request);
    const headers = request.headers as Record<string, string>;
    try {
      new Webhook(receiver.secret).verify(body, headers);
    } catch (error) {
      receiver.forged.push(String(error));
      response.writeHead(401).end();
      return;
    }
    const { type, data } = JSON.parse(body);
    const received = { id: headers['webhook-id'] ?? '', headers, type, cursor: data.cursor, data, body };
    receiver.seen.push(received);
    const answer = await receiver.answer(received);
    if (answer === 'hang') return;
    if (answer === 'cut') {
      request.socket.destroy();
      return;
    }
    const { status, headers: more = {}, body: text = 'ok' } = typeof answer === 'number' ? { status: answer } : answer;
    if (status >= 200 && status < 300) receiver.accepted.push(received);
    response.writeHead(status, more).end(text);
  }, port);
  receiver.url = `${server.url}/hooks`;
  return receiver;
}
