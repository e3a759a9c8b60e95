import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';

const TIMEOUT_MS = 5000;

export interface Forwarding {
  target: URL;
  /** All headers that are sent. None of the request's own is. */
  headers: Record<string, string | number>;
  body?: string;
  /** The names of the headers that are passed back. */
  passedBack: readonly string[];
  /** The server's name, at the beginning of a sentence. */
  name: string;
}

/**
 * Answers a request with the answer of another server of ours on this machine. Only what is given here is sent to it,
 * so it gets no cookie and no credential. The answer is 502 when there is none within five seconds; an answer that is
 * not complete by then is cut off.
 */
export function forward(request: Request, response: Response, forwarding: Forwarding): void {
  const { target, headers, body, passedBack, name } = forwarding;
  const unavailable = () => {
    if (response.headersSent) response.destroy();
    else response.status(502).type('text/plain').send(`${name} does not answer right now.`);
  };
  const options = { method: request.method, headers, signal: AbortSignal.timeout(TIMEOUT_MS) };
  const forwarded = httpRequest(target, options, (answer: IncomingMessage) => {
    response.status(answer.statusCode ?? 502);
    for (const header of passedBack) {
      const value = answer.headers[header];
      if (value !== undefined) response.setHeader(header, value);
    }
    answer.on('error', unavailable);
    answer.pipe(response);
  });
  forwarded.on('error', unavailable);
  response.on('close', () => forwarded.destroy());
  forwarded.end(body);
}
