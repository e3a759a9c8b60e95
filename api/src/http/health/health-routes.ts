import { type RequestHandler, Router } from 'express';
import type { Health } from './health.ts';

/**
 * GET /livez says that the process responds; GET /readyz, and the older GET /healthz, whether it should get work. They need
 * no session, and no connection of the pool of requests.
 */
export function healthRoutes(health: Pick<Health, 'read'>): Router {
  const ready: RequestHandler = async (_request, response) => {
    const status = await health.read();
    response.status(status === 'ok' ? 200 : 503).json({ status });
  };
  return Router()
    .get('/livez', (_request, response) => void response.json({ status: 'ok' }))
    .get(['/readyz', '/healthz'], ready);
}
