import { createServer } from 'node:http';
import type { Settings } from './base/settings.ts';

export interface Running {
  close(): Promise<void>;
}

/** Starts the API and the web app on the settings' port. */
export async function startApi(settings: Settings): Promise<Running> {
  const server = createServer((_request, response) => response.end('LotWatch'));
  await new Promise<void>((settle) => server.listen(settings.port, settings.host, settle));
  return {
    close: () => new Promise((settle) => server.close(() => settle())),
  };
}

/** Starts polling, matching and sending. */
export function startWorker(_settings: Settings): Promise<Running> {
  return Promise.resolve({ close: () => Promise.resolve() });
}
