import { ApolloClient, ApolloLink, Observable } from '@apollo/client';
import { prerenderStatic } from '@apollo/client/react/ssr';
import createCache, { type EmotionCache } from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import type { DocumentNode } from 'graphql';
import { StrictMode } from 'react';
import { prerender } from 'react-dom/static';
import { StaticRouter } from 'react-router-dom';
import { App } from './app.tsx';
import { makeCache } from './lib/server/client/cache.ts';
import { setDrawnMoment, setDrawnTitle, setHttps, titleOfDrawn } from './lib/state/drawn.ts';
import { loadPage, Pages } from './routes.tsx';

/** Runs an operation as a visitor. @throws when any field fails */
export type Execute = (document: DocumentNode, variables: Record<string, unknown>) => Promise<Record<string, unknown>>;

export interface DrawRequest {
  /** The path of a public page, with its search. */
  path: string;
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

/** Draws a public page as a visitor sees it. Pages are drawn one after another, as the moment is the module's. */
export async function draw({ path, publicUrl, execute }: DrawRequest): Promise<DrawnPage> {
  const moment = new Date();
  setDrawnMoment(moment);
  setDrawnTitle(null);
  setHttps(publicUrl.startsWith('https:'));
  await loadPage(new URL(path, publicUrl).pathname);
  const faults: unknown[] = [];
  const client = makeClient(execute, faults);
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
  const renderFunction = (element: React.ReactNode) =>
    // In one piece: the pieces of a streamed page are joined by inline scripts.
    prerender(element, { progressiveChunkSize: Number.MAX_SAFE_INTEGER, onError: (error) => void faults.push(error) });
  const { result } = await prerenderStatic({ tree, renderFunction });
  if (faults.length > 0) throw faults[0];
  const data = JSON.stringify({ moment, cache: client.extract() }).replaceAll('<', '\\u003c');
  client.stop();
  return { title: titleOfDrawn(), html: result, styles: sheetsOf(styles), data };
}

/** @param faults gets what failed: a page that says so to one visitor must not be kept for all */
function makeClient(execute: Execute, faults: unknown[]): ApolloClient {
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
  return new ApolloClient({ ssrMode: true, cache: makeCache(), link });
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
