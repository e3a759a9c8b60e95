import { updateReady } from '../../state/offline.ts';
import { WORKER } from './names.ts';

/** A tab that stays open asks for a new version when it is shown again, at most this often. */
const ASK_EVERY_MS = 3_600_000;

let isStarted = false;

/** Registers the service worker of push messages and offline pages, once the page has loaded. Called by signed-in pages some seconds after they are there. */
export function startWorker(): void {
  if (isStarted || !import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  isStarted = true;
  const act = () => void register();
  if (document.readyState === 'complete') act();
  else addEventListener('load', act, { once: true });
}

async function register(): Promise<void> {
  // A browser that stores nothing, such as one in private mode, refuses it.
  const registration = await navigator.serviceWorker.register(WORKER, { scope: '/' }).catch(() => undefined);
  if (!registration) return;
  let askedAt = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || Date.now() - askedAt < ASK_EVERY_MS) return;
    askedAt = Date.now();
    registration.update().catch(() => undefined);
  });
  registration.addEventListener('updatefound', () => {
    const found = registration.installing;
    found?.addEventListener('statechange', () => {
      if (found.state === 'installed') void judge(found);
    });
  });
  if (registration.waiting) void judge(registration.waiting);
}

/**
 * Lets a new worker take over at once if this page is of its version already, as it came from the server. Otherwise the page
 * says that there is a new version. It never changes under its user.
 */
async function judge(waiting: ServiceWorker): Promise<void> {
  if (!navigator.serviceWorker.controller) return;
  const version = await versionOf(waiting);
  const isOwn = [...document.scripts].some(({ src }) => new URL(src || '/', location.href).pathname === `/${version}`);
  if (isOwn) waiting.postMessage({ type: 'take-over' });
  else updateReady.set(true);
}

/** Of the app: the name of its first script. */
function versionOf(worker: ServiceWorker): Promise<string> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }: MessageEvent<unknown>) => resolve(String(data));
    worker.postMessage({ type: 'version' }, [port2]);
  });
}
