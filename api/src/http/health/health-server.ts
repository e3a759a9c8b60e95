import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { Health } from './health.ts';
import { healthRoutes } from './health-routes.ts';

/** What a process measures, as text. */
export interface MeasuredText {
  contentType: string;
  read(): Promise<string>;
}

export interface HealthServer {
  port: number;
  close(): Promise<void>;
}

/** Answers on the health and the measurements of this process at a port of its own, which must not be public. */
export async function startHealthServer(
  health: Pick<Health, 'read' | 'hasJobStore' | 'awayServers'>,
  metrics: MeasuredText,
  { host, port }: { host: string; port: number },
): Promise<HealthServer> {
  const app = express()
    .disable('x-powered-by')
    .use(healthRoutes(health, { isPublic: false }));
  app.get('/metrics', async (_request, response) => {
    const text = await metrics.read();
    response.set('Content-Type', metrics.contentType).send(text);
  });
  const server = createServer({ requestTimeout: 5_000, headersTimeout: 5_000 }, app);
  server.maxConnections = 100;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
