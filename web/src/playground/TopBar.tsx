import { toggleColourMode, useColourMode } from '../lib/state/colour-mode.ts';
import { type Known, signInHref } from './viewer.ts';

/** The name of the page, the signed-in user, and links to the REST API's pages and the app. */
export function TopBar({ viewer }: { viewer: Known }) {
  return (
    <header className="bar">
      <a className="home" href="/" aria-label="LotWatch, home">
        <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="8" fill="var(--brand)" />
          <circle cx="11.5" cy="16" r="5" fill="none" stroke="var(--on-brand)" strokeWidth="3" />
          <path d="M20.5 10.5h6M20.5 16h6M20.5 21.5h6" stroke="var(--beam)" strokeWidth="2.6" strokeLinecap="round" />
        </svg>
        <span className="name">LotWatch</span>
      </a>
      <h1>Playground</h1>
      <nav aria-label="Places">
        <a href="/api/docs">REST API</a>
        <ColourModeButton />
        {viewer ? (
          <>
            <span className="who">
              <span className="quiet">Signed in as </span>
              <bdi>{viewer.username}</bdi>
            </span>
            <a className="button back" href="/dashboard">
              Dashboard
            </a>
          </>
        ) : null}
        {viewer === null ? (
          <a className="button" href={signInHref}>
            Sign in
          </a>
        ) : null}
      </nav>
    </header>
  );
}

function ColourModeButton() {
  const mode = useColourMode();
  const label = `Switch to ${mode === 'dark' ? 'light' : 'dark'} mode`;
  return (
    <button type="button" className="mode" aria-label={label} title={label} onClick={toggleColourMode}>
      <svg
        width="18"
        height="18"
        viewBox="0 0 24 24"
        aria-hidden="true"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
      >
        <circle cx="12" cy="12" r="8" />
        <path d="M12 4a8 8 0 0 1 0 16z" fill="currentColor" />
      </svg>
    </button>
  );
}
