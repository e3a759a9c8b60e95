/** The page that led to the sign-in, from a router state `{from}`; addresses of other sites are ignored. */
export function localPath(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('from' in state)) return undefined;
  const { from } = state;
  return typeof from === 'string' && /^\/(?![/\\])/.test(from) ? from : undefined;
}

/** Pages outside the app, which its router doesn't know and the browser loads. */
const outsidePages = new Set(['/playground', '/api/docs']);

/** The page outside the app in `?from=` that led to the sign-in; any other address is ignored. */
export function outsidePage(search: string): string | undefined {
  const from = new URLSearchParams(search).get('from');
  return from !== null && outsidePages.has(from) ? from : undefined;
}
