import type { RequestHandler } from 'express';

/**
 * Whatever is answered is kept by no browser and nothing between: who uses it next would read it. What is the same for
 * everybody says otherwise in its own place.
 */
export const noStore: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-store');
  next();
};

/** For what serves files: they say how long they are kept, and say it only where nothing was said before. */
export const withoutNoStore: RequestHandler = (_request, response, next) => {
  response.removeHeader('Cache-Control');
  next();
};
