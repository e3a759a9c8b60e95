import { DATABASE } from '../src/lib/server/offline/names.ts';
import { showPushMessages } from './push.ts';

declare const self: ServiceWorkerGlobalScope;

// What the server sends in the place of a service worker that must go: it takes over at once, deletes all files and answers
// that are stored, and leaves every request to the browser. Push notifications stay, whose subscription would end with the registration.
/** The content first: an open page keeps the database itself until it is closed. */
async function deleteAnswers(): Promise<void> {
  const opening = indexedDB.open(DATABASE);
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error ?? new Error('Not opened'));
  });
  const names = [...database.objectStoreNames];
  if (names.length > 0) {
    const clearing = database.transaction(names, 'readwrite');
    for (const name of names) clearing.objectStore(name).clear();
    await new Promise((resolve) => {
      clearing.oncomplete = resolve;
      clearing.onabort = resolve;
    });
  }
  database.close();
  await new Promise((resolve) => {
    const deleting = indexedDB.deleteDatabase(DATABASE);
    deleting.onsuccess = resolve;
    deleting.onerror = resolve;
    deleting.onblocked = resolve;
  });
}

self.addEventListener('install', () => void self.skipWaiting());
self.addEventListener('activate', (event) => {
  const forget = async () => {
    for (const page of await self.clients.matchAll({ type: 'window', includeUncontrolled: true }))
      page.postMessage({ onlineOnly: true });
    await deleteAnswers().catch(() => undefined);
    for (const name of await caches.keys()) await caches.delete(name);
    await self.registration.navigationPreload?.disable();
  };
  event.waitUntil(forget());
});
showPushMessages();
