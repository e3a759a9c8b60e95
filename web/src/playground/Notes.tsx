import { type Known, signInHref } from './viewer.ts';

/** The app's mark of a server where nothing is charged. */
const isMarkedTest = document.documentElement.dataset.testMode !== undefined;

/** Below the bar: what is played here is real or not, and what a visitor needs for more. */
export function Notes({ viewer, isUnsure }: { viewer: Known; isUnsure: boolean }) {
  return (
    <>
      {isMarkedTest ? (
        <aside className="note" aria-label="Test mode">
          <a className="way" href="/dev/outbox">
            Test mode: nothing is charged, mail stays on this machine
          </a>
        </aside>
      ) : null}
      {isUnsure ? (
        <aside className="note" aria-label="Not connected">
          We couldn’t ask the server who is signed in.{' '}
          <a className="way" href="/playground">
            Try again
          </a>
        </aside>
      ) : null}
      {viewer === null && !isUnsure ? (
        <aside className="note" aria-label="Visitors">
          All of the API can be read here.{' '}
          <a className="way" href={signInHref}>
            Sign in to run more
          </a>
        </aside>
      ) : null}
    </>
  );
}
