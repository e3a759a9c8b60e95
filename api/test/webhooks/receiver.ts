import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface Received {
  id: string;
  headers: Record<string, string>;
  type: string;
  cursor: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever was sent
  data: any;
  body: string;
}

/** What it answers: a status, a status with headers, nothing ('hang'), or a closed connection ('cut'). */
type Answer = number | 'hang' | 'cut' | { status: number; headers?: Record<string, string>; body?: string };

export interface Receiver {
  url: string;
  /** Only what was verified with the published library and answered 2xx; the others were not taken. */
  taken: Received[];
  /** Every request that came. */
  seen: Received[];
  /** What the published library refused. */
  forged: string[];
  /** At most so many requests were open at once. */
  mostAtOnce: number;
  secret: string;
  answer: (received: Received) => Answer | Promise<Answer>;
  close(): void;
}

/** A dealer's server: verifies each signature with the published library of the convention. */
export async function startReceiver(port = 0): Promise<Receiver> {
  let open = 0;
  const receiver: Receiver = {
    url: '',
    taken: [],
    seen: [],
    forged: [],
    mostAtOnce: 0,
    secret: '',
    answer: () => 200,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  const server = createServer(async (request, response) => {
    open += 1;
    response.on('close', () => {
      open -= 1;
    });
    receiver.mostAtOnce = Math.max(receiver.mostAtOnce, open);
    let body = '';
    for await (const chunk of request) body += chunk;
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
    if (status >= 200 && status < 300) receiver.taken.push(received);
    response.writeHead(status, more).end(text);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  return receiver;
}
