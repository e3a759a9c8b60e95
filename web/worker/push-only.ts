import { showPushMessages } from './push.ts';

declare const self: ServiceWorkerGlobalScope;

// What the server sends in the place of a service worker that must go: it takes over at once, forgets all files, and
// leaves every request to the browser. Push notifications stay, whose subscription would end with the registration.
self.addEventListener('install', () => void self.skipWaiting());
self.addEventListener('activate', (event) => {
  const forget = async () => {
    for (const name of await caches.keys()) await caches.delete(name);
    await self.registration.navigationPreload?.disable();
  };
  event.waitUntil(forget());
});
showPushMessages();
