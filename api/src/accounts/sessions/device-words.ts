import Bowser from 'bowser';

/** What a browser says of itself, in words that people know; null where it says nothing known. */
export interface DeviceWords {
  browser: string | null;
  system: string | null;
}

/** Real ones have some 120; what is longer is cut before any pattern reads it. */
const MOST_CHARACTERS = 300;

const browsers = new Set(Object.values(Bowser.BROWSER_MAP));
const systems = new Set(Object.values(Bowser.OS_MAP));

/** Names are taken from the parser's list alone: a header can hold any text, and this one ends in a mail and on a page. */
export function deviceWords(userAgent: string | undefined): DeviceWords {
  if (!userAgent) return { browser: null, system: null };
  const { browser, os } = Bowser.parse(userAgent.slice(0, MOST_CHARACTERS));
  return {
    browser: browser.name !== undefined && browsers.has(browser.name) ? browser.name : null,
    system: os.name !== undefined && systems.has(os.name) ? os.name : null,
  };
}
