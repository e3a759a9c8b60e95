const reloadedKey = 'lotwatch-reloaded-at';
/** If a page fails again within this time after reloading, the cause is another one. */
const MIN_RELOAD_INTERVAL_MS = 60_000;
const PROBE_EVERY_MS = 3_000;

/** Errors that Vite reported for code that could not be loaded. */
const lost = new WeakSet<object>();

/** Watches for pages whose code can't be loaded: after a deploy the old files are gone. Called once, at the start. */
export function watchForChunkErrors(): void {
  addEventListener('vite:preloadError', ({ payload }) => lost.add(payload));
}

/** Whether an error means that a page's code could not be loaded. */
export function isChunkError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && lost.has(error);
}

/** Whether a reload may help: true for the first failure within a minute, so that reloads can't loop. */
export function mayReload(): boolean {
  try {
    const reloadedAt = Number(sessionStorage.getItem(reloadedKey) ?? 0);
    if (Date.now() - reloadedAt < MIN_RELOAD_INTERVAL_MS) return false;
    sessionStorage.setItem(reloadedKey, String(Date.now()));
    return true;
  } catch {
    // Without storage it is unknown whether it is the first.
    return false;
  }
}

/** Whether LotWatch answers at all. */
export async function isReachable(): Promise<boolean> {
  try {
    return (await fetch('/healthz', { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

/** Calls `then` once LotWatch answers again. @returns a function that stops probing */
export function whenReachable(then: () => void): () => void {
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const probe = async () => {
    if ((await isReachable()) && !isStopped) then();
    else if (!isStopped) timer = setTimeout(() => void probe(), PROBE_EVERY_MS);
  };
  void probe();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
