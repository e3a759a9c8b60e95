import { WORKER } from '../offline/names.ts';

/** Whether this browser can show push notifications. `blocked`: its user has forbidden them for this site. */
export function pushAbility(): 'unsupported' | 'blocked' | 'possible' {
  const isSupported = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
  if (!isSupported) return 'unsupported';
  return Notification.permission === 'denied' ? 'blocked' : 'possible';
}

/** iPhones and iPads have push notifications only for apps on the Home Screen. */
export const needsHomeScreen = (): boolean =>
  pushAbility() === 'unsupported' &&
  /iPhone|iPad/.test(navigator.userAgent) &&
  !('standalone' in navigator && navigator.standalone);

const base64url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** A subscription of this browser, as the server lists it and as it was made. */
export interface OwnSubscription {
  /** By which the server's list names it. */
  mark: string;
  /** The public key of the server that it was made for. */
  key: string;
}

/** Reads the subscription of this browser; null without one, or without the permission to show what comes. */
export async function ownSubscription(): Promise<OwnSubscription | null> {
  if (pushAbility() !== 'possible' || Notification.permission !== 'granted') return null;
  const registration = await navigator.serviceWorker.getRegistration('/');
  const subscription = await registration?.pushManager.getSubscription();
  if (!subscription) return null;
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(subscription.endpoint));
  const key = subscription.options.applicationServerKey;
  return { mark: base64url(hash), key: key ? base64url(key) : '' };
}

/** Subscribes this browser at its push service. @param key the server's public one @throws when the service can't be reached */
export async function subscribe(key: string) {
  const registration = await navigator.serviceWorker.register(WORKER, { scope: '/' });
  await navigator.serviceWorker.ready;
  const former = await registration.pushManager.getSubscription();
  if (former && (await ownSubscription())?.key !== key) await former.unsubscribe();
  const made = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint = '', keys = {} } = made.toJSON();
  return { endpoint, p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' };
}

/** Ends the subscription of this browser. */
export async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration('/');
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

/** Calls `open` with each page of ours that a pressed message asks this tab for. @returns a function that ends it */
export function followPresses(open: (path: string) => void): () => void {
  if (!('serviceWorker' in navigator)) return () => undefined;
  const { serviceWorker } = navigator;
  const hear = ({ data }: MessageEvent<{ open?: unknown } | null>) => {
    if (typeof data?.open === 'string' && /^\/(?!\/)/.test(data.open)) open(data.open);
  };
  serviceWorker.addEventListener('message', hear);
  return () => serviceWorker.removeEventListener('message', hear);
}
