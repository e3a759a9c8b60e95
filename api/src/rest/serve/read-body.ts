import express, { type Request, type Response } from 'express';
import { AppError } from '../../base/errors.ts';

const parseJson = express.json({ limit: '200kb', strict: false, type: () => true });
const jsonTypes = ['application/json', 'application/*+json'];

/**
 * The body of a request: any JSON, undefined without one, which needs no content type.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE; what the parser throws for a body that is too large or no JSON
 */
export async function readBody(request: Request, response: Response): Promise<unknown> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (encoding === undefined && (length === undefined || length === '0')) return undefined;
  if (!request.is(jsonTypes)) throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send application/json.');
  await new Promise<void>((resolve, reject) => {
    parseJson(request, response, (error?: unknown) => (error ? reject(error) : resolve()));
  });
  return request.body as unknown;
}
