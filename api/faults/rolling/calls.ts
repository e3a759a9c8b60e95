import { Agent, request } from 'node:http';

/** What became of one request. Times are in milliseconds since 1970. */
export interface CallResult {
  kind: string;
  begun: number;
  ended: number;
  /** What was wrong with the answer, or why there was none; null for a good one. */
  fault: string | null;
}

interface Answer {
  status: number;
  text: string;
}

export interface CallOptions {
  method?: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Sends requests over connections that are kept alive, and notes what became of each. */
export interface Caller {
  results: CallResult[];
  underWay(): number;
  /** @param isGood whether an answer with the status 200 is as it has to be @returns null where there is no good answer */
  call(kind: string, options: CallOptions, isGood?: (text: string) => boolean): Promise<string | null>;
  close(): void;
}

const TIMEOUT_MS = 30_000;
const SHOWN = 200;

export function makeCaller(url: string): Caller {
  // As browsers do, it ends idle connections before a proxy does.
  const agent = new Agent({ keepAlive: true, timeout: 4_000, maxSockets: 300 });
  const results: CallResult[] = [];
  let underWay = 0;

  const send = ({ method = 'GET', path, headers = {}, body }: CallOptions) =>
    new Promise<Answer>((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const asked = request(`${url}${path}`, { agent, method, headers: { ...headers, ...length } }, (received) => {
        const chunks: Buffer[] = [];
        received.on('data', (chunk: Buffer) => chunks.push(chunk));
        received.on('error', reject);
        received.on('close', () => {
          if (received.complete) resolve({ status: received.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
          else reject(new Error('the answer broke off'));
        });
      });
      const timer = setTimeout(() => asked.destroy(new Error('no answer in time')), TIMEOUT_MS);
      asked.on('close', () => clearTimeout(timer));
      asked.on('error', reject);
      asked.end(body);
    });

  return {
    results,
    underWay: () => underWay,
    async call(kind, options, isGood = () => true) {
      const begun = Date.now();
      underWay += 1;
      let fault: string | null = null;
      let text: string | null = null;
      try {
        const answer = await send(options);
        if (answer.status === 200 || answer.status === 201) text = answer.text;
        if (text === null || !isGood(text)) {
          fault = `${answer.status} ${answer.text.slice(0, SHOWN).replaceAll(/\s+/g, ' ')}`;
          text = null;
        }
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        fault = code ?? message;
      }
      underWay -= 1;
      results.push({ kind, begun, ended: Date.now(), fault });
      return text;
    },
    close: () => agent.destroy(),
  };
}
