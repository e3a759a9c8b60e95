import { ApolloClient, ApolloLink, type InMemoryCache, type NormalizedCacheObject, Observable } from '@apollo/client';
import { prerenderStatic } from '@apollo/client/react/ssr';
import createCache, { type EmotionCache } from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import type { FirstAnswer } from '@lotwatch/api/first-answer';
import type { DocumentNode } from 'graphql';
import { StrictMode } from 'react';
import { prerender } from 'react-dom/static';
import { StaticRouter } from 'react-router-dom';
import { App } from './app.tsx';
import { makeCache } from './lib/server/client/cache.ts';
import { type Drawn, type FirstData, makeAnswers, type Start } from './lib/server/client/first-data.ts';
import { type DrawnUser, setDrawing, setHttps, titleOfDrawn } from './lib/state/drawn.ts';
import { loadPage, Pages } from './routes.tsx';

/** Runs an operation as the one whose page it is. @throws when any field fails */
export type Execute = (document: DocumentNode, variables: Record<string, unknown>) => Promise<Record<string, unknown>>;

export interface DrawRequest {
  /** The path of a page, with its search. */
  path: string;
  /** What a signed-in user's page asks for first, among it `LiveStart` and `Viewer`; absent for a visitor's page. */
  answers?: FirstAnswer[];
  /** The site's address. */
  publicUrl: string;
  execute: Execute;
}

export interface DrawnPage {
  /** Of the document, without the site's name; null leaves that of the page's head. */
  title: string | null;
  /** What goes into `#root`. */
  html: string;
  /** Style sheets in their order, each with its name for Emotion, which takes them over in the browser. */
  styles: { name: string; css: string }[];
  /** What the browser needs to take the page over: JSON that may stand in a script element. */
  data: string;
}

let isDrawing = false;

/**
 * Draws a page as the one sees it whose answers are given, or as a visitor. Pages are drawn one after another, as the moment
 * and the user are the module's while it draws. @throws Error when another page is being drawn, or anything of it fails
 */
export async function draw(request: DrawRequest): Promise<DrawnPage> {
  if (isDrawing) throw new Error('another page is being drawn');
  isDrawing = true;
  try {
    return await drawAlone(request);
  } finally {
    setDrawing(null);
    isDrawing = false;
  }
}

async function drawAlone({ path, publicUrl, execute, answers }: DrawRequest): Promise<DrawnPage> {
  const moment = new Date();
  const user = answers ? userOf(answers, moment) : null;
  setDrawing({ moment, user });
  setHttps(publicUrl.startsWith('https:'));
  const first = makeAnswers();
  first.add(answers ?? []);
  await loadPage(new URL(path, publicUrl).pathname);
  const faults: unknown[] = [];
  let hasAsked = false;
  const ask: Execute = (...operation) => {
    hasAsked = true;
    return execute(...operation);
  };
  const client = makeClient(ask, faults, makeCache(first.take));
  const styles = createCache({ key: 'css' });
  // Rules are collected instead of written beside each element.
  styles.compat = true;
  const tree = (
    <CacheProvider value={styles}>
      <StrictMode>
        <App client={client}>
          <StaticRouter location={path}>
            <Pages />
          </StaticRouter>
        </App>
      </StrictMode>
    </CacheProvider>
  );
  const whole = new AbortController();
  const renderFunction = async (element: React.ReactNode) => {
    hasAsked = false;
    // In one piece: the pieces of a streamed page are joined by inline scripts.
    const onError = (error: unknown) => void faults.push(error);
    const page = await prerender(element, { progressiveChunkSize: Number.MAX_SAFE_INTEGER, onError });
    // It would be rendered again after each query, also after those that the cache answers.
    if (!hasAsked) whole.abort();
    return page;
  };
  const { result } = await prerenderStatic({ tree, renderFunction, signal: whole.signal });
  if (faults.length > 0) throw faults[0];
  const cache = client.extract() as NormalizedCacheObject;
  const drawn: Drawn = { moment: moment.toISOString(), cache, ...(user && { offsetMs: user.offsetMs }) };
  const data: Drawn | FirstData = user ? { answers: first.left(), drawn } : drawn;
  client.stop();
  return { title: titleOfDrawn(), html: result, styles: sheetsOf(styles), data: inScript(data) };
}

const inScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/** @throws Error without the answers that each such page needs */
function userOf(answers: readonly FirstAnswer[], moment: Date): DrawnUser {
  const dataOf = (name: string) => answers.find((answer) => answer.name === name)?.data;
  const start = dataOf('LiveStart') as Start | undefined;
  const viewer = dataOf('Viewer') as { me: { timeZone: string } | null } | undefined;
  if (!start?.me || !viewer?.me) throw new Error('nobody is signed in');
  return { offsetMs: offsetOf(moment, viewer.me.timeZone), newCount: start.me.newCount };
}

const MINUTE_MS = 60_000;

/** How far a time zone is ahead of UTC, in milliseconds. */
function offsetOf(moment: Date, timeZone: string): number {
  const clock = moment.toLocaleString('en-US', { timeZone, hourCycle: 'h23' });
  return Math.round((Date.parse(`${clock} UTC`) - moment.getTime()) / MINUTE_MS) * MINUTE_MS;
}

/** @param faults gets what failed: a page that says so to one visitor must not be kept for all */
function makeClient(execute: Execute, faults: unknown[], cache: InMemoryCache): ApolloClient {
  const link = new ApolloLink(
    ({ query, variables }) =>
      new Observable((observer) => {
        execute(query, variables).then(
          (data) => {
            observer.next({ data });
            observer.complete();
          },
          (error: unknown) => {
            faults.push(error);
            observer.error(error);
          },
        );
      }),
  );
  return new ApolloClient({ ssrMode: true, cache, link });
}

/** The collected rules: one sheet for each global style, and one for the classes, as Emotion looks for them. */
function sheetsOf({ key, inserted, registered }: EmotionCache): DrawnPage['styles'] {
  const globals: DrawnPage['styles'] = [];
  const names: string[] = [];
  let css = '';
  for (const [name, rules] of Object.entries(inserted)) {
    if (typeof rules !== 'string') continue;
    if (registered[`${key}-${name}`] === undefined) globals.push({ name: `${key}-global ${name}`, css: rules });
    else {
      names.push(name);
      css += rules;
    }
  }
  return [...globals, { name: [key, ...names].join(' '), css }];
}
