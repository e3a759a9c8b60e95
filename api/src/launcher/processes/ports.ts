import { createServer } from 'node:net';

/** Whether this process could listen there; the reason when it can't. */
export function whyNotListen(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      resolve(
        error.code === 'EADDRINUSE'
          ? `Port ${port} on ${host} is in use by another program. Stop that one, or set PORT to another number.`
          : `LotWatch can't listen on ${host}:${port}: ${error.message}`,
      );
    });
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
