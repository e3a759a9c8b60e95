import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useCookieConsent } from '../../lib/state/cookie-consent.ts';
import { isVisitorsDrawing } from '../../lib/state/drawn.ts';

const Nothing = (_props: { isReopened: boolean }): ReactNode => null;

/** The banner, once its code is there: what is pressed on a drawn one then reaches it. */
let LoadedBanner: typeof Nothing | undefined;

/** Loads the banner before a page that shows it is taken over. */
export async function loadCookieBanner(): Promise<void> {
  // Without it the page goes on as any other.
  LoadedBanner = await import('./CookieBanner.tsx').then(
    (module) => module.CookieBanner,
    () => undefined,
  );
}

/** If the banner's code can't be loaded, it doesn't ask, and only what is necessary is stored. */
const LazyBanner = lazy(() =>
  import('./CookieBanner.tsx').then(
    ({ CookieBanner }): { default: typeof Nothing } => ({ default: CookieBanner }),
    () => ({ default: Nothing }),
  ),
);

const LATEST_MS = 2_000;

/** True once the first page is rendered and the browser is idle. */
function useIdle(): boolean {
  const [isIdle, setIsIdle] = useState(isVisitorsDrawing);
  useEffect(() => {
    const start = () => setIsIdle(true);
    if (typeof requestIdleCallback === 'undefined') {
      const timer = setTimeout(start, LATEST_MS / 4);
      return () => clearTimeout(timer);
    }
    const handle = requestIdleCallback(start, { timeout: LATEST_MS });
    return () => cancelIdleCallback(handle);
  }, []);
  return isIdle;
}

/** Asks for the cookie choice while there is none; its code comes after the page. */
export function CookieNotice() {
  const consent = useCookieConsent();
  const isIdle = useIdle();
  const hadChoice = useRef(false);
  if (consent) hadChoice.current = true;
  if (consent || !isIdle) return null;
  const Banner = LoadedBanner ?? LazyBanner;
  return (
    <Suspense fallback={null}>
      <Banner isReopened={hadChoice.current} />
    </Suspense>
  );
}
