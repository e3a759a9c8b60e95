import { createServer, Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

interface LocalServer {
  url: string;
  close(): Promise<void>;
}

export type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Lets a server listen on this machine. @param port 0 for a free one @returns its address, without a slash at the end */
export async function listen(server: Server, port = 0): Promise<string> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Closes a server, and the connections that are open if it speaks HTTP. */
export const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    if (server instanceof HttpServer) server.closeAllConnections();
  });

/** Starts an HTTP server on this machine that replaces another one. A request whose handler throws is cut off. */
export async function startLocalServer(answer: Answer, port = 0): Promise<LocalServer> {
  const server = createServer((request, response) => {
    // A process that was killed during its request has sent half a body.
    (async () => answer(request, response))().catch(() => request.socket.destroy());
  });
  return { url: await listen(server, port), close: () => closeServer(server) };
}

/** The whole body of a request as text. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
