const hints = ['pointerover', 'focusin', 'touchstart'] as const;

/** Calls `load` with the path of a link of ours as soon as someone points at it, so that its code is there at the click. */
export function prefetchOnHint(load: (pathname: string) => void): void {
  const seen = new Set<string>();
  const onHint = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
    if (!link || link.origin !== location.origin || seen.has(link.pathname)) return;
    seen.add(link.pathname);
    load(link.pathname);
  };
  for (const hint of hints) addEventListener(hint, onHint, { passive: true });
}
