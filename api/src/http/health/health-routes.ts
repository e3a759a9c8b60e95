import { type RequestHandler, Router } from 'express';
import type { Health } from './health.ts';

/**
 * GET /livez says that the process responds; GET /readyz, and the older GET /healthz, whether it should get work. They need
 * no session, and no connection of the pool of requests. A worker without the store of its schedule says so and stays ready,
 * as its jobs go on and another worker would miss the store as well. So does a process of a cluster of which a server is away.
 * @param isPublic whether anybody may ask, whom the addresses of servers do not concern
 */
export function healthRoutes(
  health: Pick<Health, 'read' | 'hasJobStore' | 'awayServers'>,
  { isPublic }: { isPublic: boolean },
): Router {
  const ready: RequestHandler = async (_request, response) => {
    const status = await health.read();
    response.status(status === 'ok' ? 200 : 503).json({
      status,
      ...(health.hasJobStore() ? {} : { jobStore: 'unreachable' }),
      ...(!isPublic && health.awayServers().length > 0 && { awayServers: health.awayServers() }),
    });
  };
  return Router()
    .get('/livez', (_request, response) => void response.json({ status: 'ok' }))
    .get(['/readyz', '/healthz'], ready);
}
