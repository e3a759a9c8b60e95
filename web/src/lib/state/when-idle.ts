/** Acts once the page has nothing else to do, or after this time. @returns a function that calls it off */
export function whenIdle(act: () => void, timeoutMs: number): () => void {
  if ('requestIdleCallback' in globalThis) {
    const id = requestIdleCallback(act, { timeout: timeoutMs });
    return () => cancelIdleCallback(id);
  }
  const timer = setTimeout(act);
  return () => clearTimeout(timer);
}
