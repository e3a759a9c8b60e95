import type { RequestHandler } from 'express';
import type { Pool } from '../base/database.ts';

const PATIENCE_MS = 3_000;

/** 200 while the database answers, else 503, soon even when it is silent: for those who watch over the process. */
export function healthCheck(pool: Pick<Pool, 'query'>, patienceMs = PATIENCE_MS): RequestHandler {
  return async (_request, response) => {
    const silent = new Promise<false>((settle) => {
      setTimeout(settle, patienceMs, false).unref();
    });
    const answers = pool.query('select 1').then(
      () => true,
      () => false,
    );
    const ok = await Promise.race([answers, silent]);
    response.status(ok ? 200 : 503).json({ status: ok ? 'ok' : 'database unreachable' });
  };
}
