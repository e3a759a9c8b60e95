const reloadedKey = 'lotwatch-reloaded-at';
/** A page that fails again this soon after reloading has another fault. */
const AGAIN_MS = 60_000;
const ASK_EVERY_MS = 3_000;

/** Vite names the errors of code that could not be loaded. */
const lost = new WeakSet<object>();

/** Watches for pages whose code can't be loaded: after a deploy the old files are gone. Called once, at the start. */
export function watchForLostCode(): void {
  addEventListener('vite:preloadError', ({ payload }) => lost.add(payload));
}

/** Whether an error means that a page's code could not be loaded. */
export function isLostCode(error: unknown): boolean {
  return typeof error === 'object' && error !== null && lost.has(error);
}

/** True for the first loss in a while: then a reload may help. A second reload could start an endless loop. */
export function mayReload(): boolean {
  try {
    const reloadedAt = Number(sessionStorage.getItem(reloadedKey) ?? 0);
    if (Date.now() - reloadedAt < AGAIN_MS) return false;
    sessionStorage.setItem(reloadedKey, String(Date.now()));
    return true;
  } catch {
    // Without storage it can't be known whether it is the first.
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

/** Calls `then` once LotWatch answers again. @returns how to stop asking */
export function whenReachable(then: () => void): () => void {
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = async () => {
    if ((await isReachable()) && !isStopped) then();
    else if (!isStopped) timer = setTimeout(() => void ask(), ASK_EVERY_MS);
  };
  void ask();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
