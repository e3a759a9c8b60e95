declare const self: ServiceWorkerGlobalScope;

interface Message {
  title: string;
  url: string;
  body?: string;
  tag?: string;
  image?: string;
}

/** The content of a message; a message that can't be read is shown without its content, as browsers require one. */
function read(data: PushMessageData | null): Message {
  try {
    return { title: 'LotWatch', url: '/notifications', ...(data?.json() as Partial<Message>) };
  } catch {
    return { title: 'LotWatch', body: 'There is something new in your alerts.', url: '/notifications' };
  }
}

/** The page on our own origin, whatever the message says. */
function pageOf(url: string): string {
  const { pathname, search } = new URL(url, self.location.origin);
  return new URL(pathname + search, self.location.origin).href;
}

/** A tab that shows the page already comes to the front, and goes to the car by itself. */
async function open(url: string): Promise<unknown> {
  const { pathname, search } = new URL(url);
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const same =
    pages.find((page) => page.url.split('#')[0] === url) ??
    pages.find((page) => new URL(page.url).pathname === pathname);
  if (!same) return self.clients.openWindow(url);
  same.postMessage({ open: pathname + search });
  return same.focus();
}

interface SubscriptionChange extends ExtendableEvent {
  oldSubscription?: PushSubscription | null;
  newSubscription?: PushSubscription | null;
}

/** Some browsers replace a subscription by themselves; the server must learn the new address. */
async function replace({ oldSubscription, newSubscription }: SubscriptionChange): Promise<void> {
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

/** Shows push notifications, and opens the page of the car when one is pressed. */
export function showPushMessages(): void {
  self.addEventListener('push', (event) => {
    const { title, body, url, image, tag } = read(event.data);
    // `image` is not in TypeScript's list of options, as not every browser shows it.
    const options: NotificationOptions & { image?: string } = {
      icon: '/icons/icon-192.png',
      data: { url },
      ...(body !== undefined && { body }),
      ...(tag !== undefined && { tag }),
      ...(image && { image }),
    };
    event.waitUntil(self.registration.showNotification(title, options));
  });
  self.addEventListener('notificationclick', (event) => {
    event.notification.close();
    const { url } = (event.notification.data ?? {}) as { url?: string };
    event.waitUntil(open(pageOf(url ?? '/notifications')));
  });
  self.addEventListener('pushsubscriptionchange', (event) => {
    const change = event as SubscriptionChange;
    change.waitUntil(replace(change));
  });
}
