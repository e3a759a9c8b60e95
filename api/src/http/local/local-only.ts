import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { namesLoopback } from '../../base/addresses/loopback.ts';
import { AppError } from '../../base/errors.ts';
import type { Settings } from '../../base/settings/settings.ts';

/** Whether this request may see the development pages: they are on, and it asks for this machine by a loopback name. */
export const seesDevelopmentPages = (settings: Pick<Settings, 'developmentPages'>, request: IncomingMessage): boolean =>
  settings.developmentPages && namesLoopback(request.headers.host);

/** To be mounted on the paths of the development pages: for everybody else there is nothing at them. */
export function localOnly(settings: Pick<Settings, 'developmentPages'>): RequestHandler {
  return (request, _response, next) =>
    next(seesDevelopmentPages(settings, request) ? undefined : new AppError('NOT_FOUND', 'Not found'));
}
