// The service worker of push notifications: it shows them, and opens the page of the car when one is pressed. It has no
// other task, so that no page depends on it.

/** The content of a message; a message that can't be read is shown without its content, as browsers require one. */
function read(data) {
  try {
    return { title: 'LotWatch', url: '/notifications', ...data.json() };
  } catch {
    return { title: 'LotWatch', body: 'There is something new in your alerts.', url: '/notifications' };
  }
}

/** The page on our own origin, whatever the message says. */
function pageOf(url) {
  const { pathname, search } = new URL(url, self.location.origin);
  return new URL(pathname + search, self.location.origin).href;
}

self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('push', (event) => {
  const { title, body, url, image, tag } = read(event.data);
  event.waitUntil(
    self.registration.showNotification(title, {
      body,
      tag,
      icon: '/icons/icon-192.png',
      data: { url },
      ...(image && { image }),
    }),
  );
});

/** A tab that shows the page already comes to the front, and goes to the car by itself. */
async function open(url) {
  const { pathname, search } = new URL(url);
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const same =
    pages.find((page) => page.url.split('#')[0] === url) ??
    pages.find((page) => new URL(page.url).pathname === pathname);
  if (!same) return self.clients.openWindow(url);
  same.postMessage({ open: pathname + search });
  return same.focus();
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(pageOf(event.notification.data?.url ?? '/notifications')));
});

/** Some browsers replace a subscription by themselves; the server must learn the new address. */
async function replace({ oldSubscription, newSubscription }) {
  const options = oldSubscription?.options ?? { userVisibleOnly: true };
  const next = newSubscription ?? (await self.registration.pushManager.subscribe(options));
  const { endpoint, keys } = next.toJSON();
  await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query: 'mutation ($input: PushSubscriptionInput!) { addPushSubscription(input: $input) { id } }',
      variables: { input: { endpoint, ...keys } },
    }),
  });
}

self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(replace(event)));
