/** The page someone was sent away from, out of a router state `{from}`; only addresses of our own count. */
export function localPath(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('from' in state)) return undefined;
  const { from } = state;
  return typeof from === 'string' && /^\/(?![/\\])/.test(from) ? from : undefined;
}

/** Pages beside the app: its router doesn't know them, the browser loads them. */
const pagesBeside = new Set(['/playground', '/api/docs']);

/** The page beside the app that sent someone to sign in with `?from=`; any other address there counts as none. */
export function pageBeside(search: string): string | undefined {
  const from = new URLSearchParams(search).get('from');
  return from !== null && pagesBeside.has(from) ? from : undefined;
}
