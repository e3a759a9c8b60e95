import type { Request, RequestHandler, Response } from 'express';
import { print } from 'graphql';
import type { CallLimits } from '../accounts/call-limits.ts';
import type { Caller } from '../accounts/signed-in.ts';
import type { FirstAnswer } from '../base/first-answer.ts';
import type { Ask } from './drawn/draw-thread.ts';
import type { DrawnPages } from './drawn/drawn-pages.ts';
import type { PageFile } from './drawn/fill-page.ts';
import type { Sessions } from './sessions.ts';

/** An operation that a page asks for first, as the build lists it in `pages.json`. */
export interface FirstQuery {
  name: string;
  text: string;
  /** `:id` stands for that part of the page's path. */
  variables: Record<string, string>;
  /** Parameters of the address with which the page asks for something else. */
  unless: string[];
}

interface AskingPage {
  /** As the router writes it: `/alert/:id`. */
  path: string;
  asks?: FirstQuery[];
}

/** Runs an operation with all checks of one over HTTP. @returns undefined when anything of it fails */
export type Answer = (
  query: string,
  variables: Record<string, unknown>,
  caller: Caller,
) => Promise<Record<string, unknown> | undefined>;

/**
 * Sends a page with its first data to a signed-in user.
 * @param empty the app's file with the page's head
 * @returns false, with nothing sent, for everybody else
 */
export type SendWithData = (
  request: Request,
  response: Response,
  page: AskingPage,
  empty: PageFile,
) => Promise<boolean>;

interface FirstDataParts {
  sessions: Pick<Sessions, 'middleware' | 'callerOf' | 'mayBeSignedIn'>;
  limits: Pick<CallLimits, 'request'>;
  answer: Answer;
  /** Without it, no page is drawn. */
  drawn?: Pick<DrawnPages, 'prepare' | 'fillForUser'>;
  /** The policy of a page with these inline styles. */
  policyOf: (styles: readonly string[]) => string;
  /** How long a page waits for its data. */
  waitMs?: number;
  /** How long an empty page is held back to be drawn with its data. */
  holdMs?: number;
}

/** A page does not wait longer for its data, and asks for what is missing itself. */
const WAIT_MS = 1_000;
/** With data that takes longer, the page is not drawn: its scripts load meanwhile. */
const HOLD_MS = 600;
/** Its answer has the position from which live updates go on: lists are read after it, or a match could be missed. */
const BEFORE_LISTS = 'LiveStart';

/**
 * Sends a page drawn with the answers to what it asks for first. Where that is not possible, it sends the head and the shell
 * of the page, and after them the answers, so that it need not come back for them. Whatever fails is left out: the page
 * then asks itself, and shows the failure.
 */
export function makeSendWithData({
  sessions,
  limits,
  answer,
  drawn,
  policyOf,
  waitMs = WAIT_MS,
  holdMs = HOLD_MS,
}: FirstDataParts): SendWithData {
  const readSession = (request: Request, response: Response): Promise<void> =>
    new Promise((resolve, reject) => {
      void (sessions.middleware as RequestHandler)(request, response, (error?: unknown) =>
        error ? reject(error) : resolve(),
      );
    });
  return async (request, response, page, empty) => {
    if (request.method !== 'GET' || !page.asks || !sessions.mayBeSignedIn(request)) return false;
    // Its thread may have to start, which takes as long as reading the session and the data.
    const canDraw = drawn?.prepare(page, request) ?? false;
    // What comes later finds the plain page sent, and changes nothing of it.
    const known = await inTime(readSession(request, response), waitMs).catch(() => false);
    const caller = known ? sessions.callerOf(request) : null;
    if (!caller?.viewer || caller.viewer.restrictedTo) return false;
    const queries = queriesOf(request, page, page.asks);
    if (!queries) return false;
    response.set('Cache-Control', 'private, no-store');
    const asked = askAll(queries, waitMs, ({ text, variables }) => askOne(text, variables, caller));
    const whole = canDraw && (await soon(asked, holdMs));
    // One that lacks anything says so itself.
    if (drawn && whole && whole.length === queries.length) {
      const ask: Ask = async (document, variables) => {
        const data = await askOne(print(document), variables, caller);
        if (!data) throw new Error('not answered');
        return data;
      };
      const file = await drawn.fillForUser(empty, request, { answers: whole, ask, userId: caller.viewer.id });
      if (file) {
        response.set('Content-Security-Policy', policyOf(file.styles)).send(file.html);
        return true;
      }
    }
    const { html } = empty;
    const end = html.lastIndexOf('</body>');
    response.write(html.slice(0, end));
    response.flush();
    const answers = await asked;
    const data = inScript({ answers });
    response.end(`<script type="application/json" id="first-data">${data}</script>${html.slice(end)}`);
    return true;
  };

  /** Counted as a request of its own, which it replaces. */
  async function askOne(text: string, variables: Record<string, unknown>, caller: Caller) {
    await limits.request(caller.viewer?.id ?? null, caller.address);
    return answer(text, variables, caller);
  }
}

const ID = /^\d{1,15}$/;

/** Fills in the variables from the address; null for an address that names nothing. */
function queriesOf({ path, query }: Request, page: AskingPage, asks: FirstQuery[]): FirstQuery[] | null {
  const parts = path.split('/');
  const named = new Map(page.path.split('/').flatMap((part, at) => (part.startsWith(':') ? [[part, parts[at]]] : [])));
  for (const value of named.values()) if (!value || !ID.test(value)) return null;
  return asks
    .filter(({ unless }) => !unless.some((name) => name in query))
    .map((asked) => ({
      ...asked,
      variables: Object.fromEntries(
        Object.entries(asked.variables).map(([name, value]) => [name, named.get(value) ?? value]),
      ),
    }));
}

/** Asks for all, and returns what is there in time. */
async function askAll(
  queries: FirstQuery[],
  waitMs: number,
  ask: (query: FirstQuery) => Promise<Record<string, unknown> | undefined>,
): Promise<FirstAnswer[]> {
  const answers: FirstAnswer[] = [];
  const keep = async (query: FirstQuery) => {
    const data = await ask(query).catch(() => undefined);
    if (data) answers.push({ name: query.name, variables: query.variables, data });
    return data !== undefined;
  };
  const all = async () => {
    const first = queries.find(({ name }) => name === BEFORE_LISTS);
    if (first && !(await keep(first))) return;
    await Promise.all(queries.filter((query) => query !== first).map(keep));
  };
  await inTime(all(), waitMs);
  return [...answers];
}

/** Waits for something. @returns false when it takes longer @throws what it throws in time */
async function inTime(work: Promise<void>, waitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, waitMs, false);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** @returns undefined when it takes longer */
async function soon<T>(work: Promise<T>, waitMs: number): Promise<T | undefined> {
  let result: T | undefined;
  await inTime(
    work.then((found) => {
      result = found;
    }),
    waitMs,
  );
  return result;
}

/** JSON that may stand in a script element. */
const inScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');
