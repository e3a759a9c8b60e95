import type { RequestHandler } from 'express';
import { AppError } from '../base/errors.ts';

/** For what can only be read. @throws AppError METHOD_NOT_ALLOWED */
export const readOnly: RequestHandler = (request, response, next) => {
  if (request.method === 'GET' || request.method === 'HEAD') return next();
  response.set('Allow', 'GET, HEAD');
  throw new AppError('METHOD_NOT_ALLOWED', 'Only GET and HEAD are taken here.');
};
