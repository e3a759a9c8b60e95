import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface VendorServer {
  url: string;
  close(): Promise<void>;
}

/** An HTTP server on this machine that stands in for a vendor's. */
export async function startVendorServer(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<VendorServer> {
  const server = createServer((request, response) => {
    // A worker that was killed in the middle of its request leaves half a body.
    answer(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((settle) => {
        server.closeAllConnections();
        server.close(() => settle());
      }),
  };
}

/** What becomes of a request. @param chances of all but being taken @param random 0 to 1 */
export function treatmentOf<T>(chances: readonly (readonly [T, number])[], random: number): T | 'taken' {
  let left = random;
  for (const [treatment, chance] of chances) {
    left -= chance;
    if (left < 0) return treatment;
  }
  return 'taken';
}
