import { Component } from 'react';
import { type Location, useLocation, useNavigationType } from 'react-router-dom';
import { drawnMoment } from '../lib/state/drawn.ts';

/** `public/start.js` reads it as well. */
const STORED = 'react-router-scroll-positions';

/** The key of what is stored; `public/start.js` makes the same one. */
function keyOf({ key, pathname }: Location): string {
  // Every reloaded page has the key 'default'; without the path it would take the scroll position of another page.
  // The address of a shared link ends with a secret.
  return key === 'default' ? pathname.replace(/^\/shared\/.*/i, '/shared') : key;
}

function readStored(): Record<string, number> {
  try {
    return JSON.parse(sessionStorage.getItem(STORED) ?? '{}') as Record<string, number>;
  } catch {
    return {};
  }
}

/** The element that the address ends with. */
function targetOf(hash: string): Element | null {
  try {
    return hash ? document.getElementById(decodeURIComponent(hash.slice(1))) : null;
  } catch {
    return null;
  }
}

interface Props {
  location: Location;
  isReplaced: boolean;
}

/** A class, as only these see the page just before it changes. */
class Keeper extends Component<Props, object, number | null> {
  places = readStored();

  override componentDidMount(): void {
    history.scrollRestoration = 'manual';
    addEventListener('pagehide', this.store);
    // On a page that the server drew somebody may have scrolled.
    if (!drawnMoment()) this.restore();
  }

  override componentWillUnmount(): void {
    removeEventListener('pagehide', this.store);
  }

  override getSnapshotBeforeUpdate({ location }: Props): number | null {
    return location === this.props.location ? null : scrollY;
  }

  override componentDidUpdate({ location: former }: Props, _state: object, y: number | null): void {
    if (y === null) return;
    this.places[keyOf(former)] = y;
    const { location, isReplaced } = this.props;
    // What is chosen on a page is kept in its address, and must not move it.
    const isChoice = isReplaced && location.pathname === former.pathname && location.search !== former.search;
    if (!isChoice) this.restore();
  }

  store = (): void => {
    this.places[keyOf(this.props.location)] = scrollY;
    try {
      sessionStorage.setItem(STORED, JSON.stringify(this.places));
    } catch {
      // Storage may be forbidden or full; then a page begins at its top.
    }
    history.scrollRestoration = 'auto';
  };

  restore(): void {
    const { location } = this.props;
    const place = this.places[keyOf(location)];
    const target = place === undefined ? targetOf(location.hash) : null;
    if (target) target.scrollIntoView();
    else scrollTo(0, place ?? 0);
  }

  override render(): null {
    return null;
  }
}

/** A new page begins at its top, or where its address says; one that is opened again where it was left. */
export function KeptScroll() {
  return <Keeper location={useLocation()} isReplaced={useNavigationType() === 'REPLACE'} />;
}
