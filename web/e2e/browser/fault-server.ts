import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer as a broken server or proxy would give it. */
export interface BrokenAnswer {
  /** 200 unless told. */
  status?: number;
  /** The words after the status; the usual ones unless told. */
  statusText?: string;
  body?: string;
  /** application/json unless told. */
  contentType?: string;
  /** The connection ends in the middle of the body. */
  cutOff?: boolean;
}

/** Longer than any body a test sends: what is missing was cut off. */
const PROMISED_BYTES = 100_000;

let running: Promise<Server> | undefined;
let answers = 0;
const prepared = new Map<string, BrokenAnswer>();

function start(): Promise<Server> {
  return new Promise((settle) => {
    const server = createServer((request, response) => {
      const { status = 200, statusText, body = '', contentType, cutOff } = prepared.get(request.url ?? '') ?? {};
      response.statusCode = status;
      if (statusText !== undefined) response.statusMessage = statusText;
      response.setHeader('content-type', contentType ?? 'application/json');
      request.resume();
      if (!cutOff) return response.end(body);
      response.setHeader('content-length', PROMISED_BYTES);
      response.write(body || '{"data":');
      // The headers must have arrived: what fails is the reading.
      setTimeout(() => request.socket.destroy(), 100);
    });
    // Doesn't keep a finished file's process alive.
    server.listen(0, '127.0.0.1', () => settle(server)).unref();
  });
}

/** Where this answer is given: no playwright `fulfill` has words of its own after the status, or ends too early. */
export async function addressOf(answer: BrokenAnswer): Promise<string> {
  running ??= start();
  const { port } = (await running).address() as AddressInfo;
  const path = `/${++answers}`;
  prepared.set(path, answer);
  return `http://127.0.0.1:${port}${path}`;
}
