import { type RequestHandler, Router } from 'express';
import type { CallLimits } from '../accounts/call-limits.ts';
import type { Log } from '../base/log.ts';
import type { Settings } from '../base/settings/settings.ts';
import type { ApiParts } from '../graphql/context.ts';
import type { AddressOf } from '../http/client-address.ts';
import { demoProxy } from '../http/local/demo-proxy.ts';
import { outboxPage } from '../http/local/outbox-page.ts';
import { sandboxProxy } from '../http/local/sandbox-proxy.ts';
import { makeFindPhoto, photoRoute } from '../http/photos/photo-route.ts';
import { securityTxt } from '../http/security-txt.ts';
import { quickForm } from '../rest/forms/quick-form.ts';
import { outboxFile } from '../vendors/outbox-mail.ts';
import type { PhotoCache } from '../vendors/photos/photo-cache.ts';
import { mailPages } from './mail-pages.ts';

interface MountParts {
  settings: Settings;
  parts: ApiParts;
  log: Log;
  limits: CallLimits;
  addressOf: AddressOf;
  photos: PhotoCache;
}

/** Makes the handlers with paths of their own beside the web app: pages of mails, forms without scripts, photos, and local pages. */
export function makeMounts({ settings, parts, log, limits, addressOf, photos }: MountParts): RequestHandler[] {
  const { pool, gazetteer, linkSecret: secret } = parts;
  const mounts: RequestHandler[] = [
    mailPages({ ...parts, addressOf }, log, settings.mail.support),
    quickForm({ gazetteer, count: (request) => limits.request(null, addressOf(request)) }),
    securityTxt({ publicUrl: settings.publicUrl, supportEmail: settings.mail.support }),
    photoRoute({ secret, find: makeFindPhoto(pool), cache: photos, limits, addressOf }),
  ];
  if (settings.developmentPages) mounts.push(outboxPage(outboxFile(settings.dataDir)));
  if (settings.demo.on && settings.demo.url !== undefined)
    mounts.push(Router().use('/demo', demoProxy(settings.demo.url)));
  if (settings.paymentSandboxUrl !== undefined) mounts.push(sandboxProxy(settings.paymentSandboxUrl));
  return mounts;
}
