import type { CDPSession, Page } from 'playwright-core';
import type { PushService } from '../../../api/test/push/push-service.ts';
import { lotWatch } from './support.ts';

/**
 * Lets a page subscribe at a push service of this machine, as browsers can't reach theirs without a network. Everything else
 * is the browser's own, except that Chromium without windows has no notifications: there the permission is a stand-in too.
 */
export async function subscribeAt(page: Page, service: PushService): Promise<void> {
  await page.context().grantPermissions(['notifications'], { origin: lotWatch().url });
  await page.exposeFunction('subscribeAtService', (key: string) => service.subscribe(key).subscription);
  await page.addInitScript(() => {
    const stored = () => JSON.parse(localStorage.getItem('subscription-of-test') ?? 'null');
    const bytes = (text: string) =>
      Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
    const shown = () => {
      const made = stored();
      if (made === null) return null;
      return {
        endpoint: made.endpoint,
        options: { applicationServerKey: bytes(made.key).buffer },
        toJSON: () => ({ endpoint: made.endpoint, keys: { p256dh: made.p256dh, auth: made.auth } }),
        unsubscribe: async () => {
          localStorage.removeItem('subscription-of-test');
          return true;
        },
      };
    };
    const { subscribeAtService } = window as unknown as { subscribeAtService(key: string): Promise<object> };
    Object.assign(PushManager.prototype, {
      getSubscription: async () => shown(),
      async subscribe({ applicationServerKey: key }: { applicationServerKey: string }) {
        // A browser that is subscribed with this key keeps its subscription.
        if (stored()?.key === key) return shown();
        localStorage.setItem('subscription-of-test', JSON.stringify({ key, ...(await subscribeAtService(key)) }));
        return shown();
      },
    });
    if (Notification.permission !== 'denied') return;
    Object.defineProperty(Notification, 'permission', {
      get: () => localStorage.getItem('permission-of-test') ?? 'default',
    });
    Notification.requestPermission = async () => {
      localStorage.setItem('permission-of-test', 'granted');
      return 'granted';
    };
  });
}

/** A service worker of a page, to which push messages can be delivered. */
export interface PushedWorker {
  /** Delivers a message, decrypted as the browser does it. */
  deliver(payload: unknown): Promise<void>;
}

/** Finds the service worker of a page by the developer tools. */
export async function findWorker(page: Page): Promise<PushedWorker> {
  const session: CDPSession = await page.context().newCDPSession(page);
  const found = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const registration = registrations.find(({ scopeURL }) => scopeURL === `${lotWatch().url}/`);
      if (registration) resolve(registration.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  const registrationId = await found;
  return {
    async deliver(payload) {
      const data = typeof payload === 'string' ? payload : JSON.stringify(payload);
      await session.send('ServiceWorker.deliverPushMessage', { origin: lotWatch().url, registrationId, data });
    },
  };
}
