import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from '../../demo/random.ts';
import { readDataFile } from '../../src/base/data-folder.ts';
import type { TestAlert } from '../../test/matching/match-rows.ts';

/** The query of the panel beside the form. */
const query = `query PreviewAlert($input: AlertInput!) {
  previewAlert(input: $input) {
    matchCount perWeek days place sampleDistances
    samples { id title price color photos priceBand { low middle high n rating reason } }
    nearMisses { field from to more } } }`;

/** For how long the form waits after a key. */
const DEBOUNCE_MS = 500;
const KEY_MS = { least: 150, most: 600 } as const;
/** After how many keys somebody begins to look for another car. */
const KEYS_A_CAR = 12;

/** Names of places by their coordinates. */
const placeNames = new Map(
  readDataFile('geo/us-places.csv')
    .split('\n')
    .slice(1)
    .map((line) => {
      const [name, state, lat, lng] = line.split(',');
      return [`${lat},${lng}`, `${name}, ${state}`];
    }),
);

export type PreviewInput = Record<string, unknown>;

/** The market's alerts look further ahead. */
const LAST_YEAR = new Date().getUTCFullYear() + 1;

/** An alert as the form asks about it. */
export function inputOf({ lat, lng, yearMax, ...fields }: TestAlert): PreviewInput {
  const location = placeNames.get(`${lat},${lng}`);
  if (location === undefined) throw new Error(`no place is at ${lat}, ${lng}`);
  return { ...fields, yearMax: yearMax && Math.min(yearMax, LAST_YEAR), location };
}

export interface Answered {
  ms: number;
  matchCount: number;
  nearMisses: { field: string; to: string | null; more: number }[];
}

/** Asks for a preview as the web app does. @throws AbortError when it is given up */
export async function askPreview(
  url: string,
  cookie: string,
  input: PreviewInput,
  signal?: AbortSignal,
): Promise<Answered> {
  const start = performance.now();
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ query, variables: { input } }),
    ...(signal ? { signal } : {}),
  });
  const { data, errors } = (await response.json()) as {
    data?: { previewAlert: Omit<Answered, 'ms'> };
    errors?: unknown;
  };
  if (!data || errors) throw new Error(`a preview was answered ${response.status}: ${JSON.stringify(errors)}`);
  const { matchCount, nearMisses } = data.previewAlert;
  return { ms: performance.now() - start, matchCount, nearMisses };
}

export interface Typed {
  answersMs: number[];
  givenUp: number;
}

interface Typist {
  url: string;
  cookie: string;
  dice: Dice;
  alert: () => TestAlert;
}

/**
 * Somebody types without a pause: most keys come before the form asks, and some before the answer, which is given up then.
 * @param until the end, by performance.now()
 */
export async function type({ url, cookie, dice, alert }: Typist, until: number, typed: Typed): Promise<void> {
  let input = inputOf(alert());
  let request: AbortController | undefined;
  let answer = Promise.resolve();
  for (let keys = 1; performance.now() < until; keys += 1) {
    if (keys % KEYS_A_CAR === 0) input = inputOf(alert());
    else input = { ...input, priceMin: null, priceMax: 1_000 + dice.whole(0, 60) * 500 };
    const pauseMs = KEY_MS.least + dice.next() * (KEY_MS.most - KEY_MS.least);
    await sleep(Math.min(pauseMs, DEBOUNCE_MS));
    if (pauseMs < DEBOUNCE_MS) continue;
    request?.abort();
    request = new AbortController();
    answer = askPreview(url, cookie, input, request.signal).then(
      ({ ms }) => void typed.answersMs.push(ms),
      (error: unknown) => {
        if (!(error instanceof Error && error.name === 'AbortError')) throw error;
        typed.givenUp += 1;
      },
    );
    // Whoever types on does not wait; a failure is thrown at the end.
    answer.catch(() => {});
    await sleep(pauseMs - DEBOUNCE_MS);
  }
  await answer;
}
