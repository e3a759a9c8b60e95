import type { Request, Response } from 'express';
import { parse } from 'graphql';
import { expect, it } from 'vitest';
import type { Viewer } from '../accounts/signed-in.ts';
import { SessionRestriction } from '../domain/session-restriction.ts';
import type { DrawnPages } from './drawn/drawn-pages.ts';
import { type Answer, type FirstQuery, makeSendWithData } from './first-data.ts';

const HTML = '<body>shell</body></html>';
const asks = (name: string, variables: Record<string, string> = {}, unless: string[] = []): FirstQuery => ({
  name,
  text: name,
  variables,
  unless,
});
const PAGE = {
  path: '/alert/:id',
  asks: [asks('AlertMatches', { alertId: ':id' }, ['sort']), asks('LiveStart'), asks('Viewer')],
};

interface Visit {
  path?: string;
  query?: Record<string, string>;
  viewer?: Viewer | null;
  answer?: Answer;
  waitMs?: number;
  isOverLimit?: boolean;
  /** What drawing gives; without it, no page is drawn. */
  draw?: DrawnPages['fillForUser'];
}

const answered: Answer = (name, variables) => Promise.resolve({ name, variables });

/** Asks for the page. @returns whether it was sent, what was sent, and the answers in it by operation */
async function visit({
  path = '/alert/7',
  query = {},
  viewer = { id: 1, sessionId: 's' },
  answer = answered,
  waitMs = 20_000,
  isOverLimit = false,
  draw,
}: Visit = {}) {
  const sent: string[] = [];
  const headers: string[] = [];
  const send = makeSendWithData({
    sessions: {
      middleware: (_request, _response, next) => next(),
      callerOf: () => ({ viewer, session: null, address: '::1', host: undefined }),
      mayBeSignedIn: () => true,
    },
    limits: { request: () => (isOverLimit ? Promise.reject(new Error('too many')) : Promise.resolve()) },
    answer,
    policyOf: (styles) => styles.join(' '),
    waitMs,
    holdMs: waitMs,
    ...(draw && { drawn: { prepare: () => true, fillForUser: draw } }),
  });
  const keep = (text: string) => void sent.push(text);
  const response = {
    set(...header: string[]) {
      headers.push(header.join(': '));
      return response;
    },
    send: keep,
    write: keep,
    end: keep,
    flush() {},
  };
  const isSent = await send({ method: 'GET', path, query } as never as Request, response as never as Response, PAGE, {
    html: HTML,
    styles: [],
  });
  const html = sent.join('');
  const data = /id="first-data">(.*)<\/script><\/body><\/html>$/s.exec(html)?.[1];
  const { answers } = JSON.parse(data ?? '{"answers":[]}') as {
    answers: { name: string; variables: unknown; data: unknown }[];
  };
  return { isSent, sent, headers, html, answers, names: answers.map(({ name }) => name).sort() };
}

it('sends the shell, and after it the answers for the number in the address, to be stored by nobody', async () => {
  const { isSent, sent, headers, answers } = await visit();
  expect([isSent, sent[0], headers]).toEqual([true, '<body>shell', ['Cache-Control: private, no-store']]);
  expect(answers).toContainEqual({
    name: 'AlertMatches',
    variables: { alertId: '7' },
    data: { name: 'AlertMatches', variables: { alertId: '7' } },
  });
});

it('sends nothing to a visitor, a user who has to do something first, or an address that names nothing', async () => {
  const restricted: Viewer = { id: 1, sessionId: 's', restrictedTo: SessionRestriction.password };
  for (const asked of [{ viewer: null }, { viewer: restricted }, { path: '/alert/seven' }, { path: '/alert/' }])
    expect(await visit(asked)).toMatchObject({ isSent: false, sent: [], headers: [] });
});

it('leaves out what the page asks for otherwise at this address', async () => {
  expect((await visit({ query: { sort: 'price' } })).names).toEqual(['LiveStart', 'Viewer']);
  expect((await visit({ query: { other: 'x' } })).names).toEqual(['AlertMatches', 'LiveStart', 'Viewer']);
});

it('reads lists only after the place from which live updates go on, and none without it', async () => {
  const events: string[] = [];
  await visit({
    async answer(name) {
      events.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      events.push(`${name} ends`);
      return {};
    },
  });
  expect(events.slice(0, 2)).toEqual(['LiveStart begins', 'LiveStart ends']);
  expect(events).toHaveLength(6);
  expect((await visit({ answer: async (name) => (name === 'LiveStart' ? undefined : {}) })).names).toEqual([]);
});

it('leaves out what fails, is refused or comes too late', async () => {
  const failing: Answer = (name) => (name === 'Viewer' ? Promise.reject(new Error('broken')) : Promise.resolve({}));
  expect((await visit({ answer: failing })).names).toEqual(['AlertMatches', 'LiveStart']);
  expect(await visit({ isOverLimit: true })).toMatchObject({ isSent: true, names: [] });
  const never = new Promise<undefined>(() => {});
  const late: Answer = (name) => (name === 'AlertMatches' ? never : Promise.resolve({}));
  expect((await visit({ answer: late, waitMs: 50 })).names).toEqual(['LiveStart', 'Viewer']);
});

it('lets no data end the script or begin another', async () => {
  const title = '</script><script>alert(1)</script><!--';
  const { html, answers } = await visit({ answer: async () => ({ title }) });
  expect(html.match(/<[^>]*script/g)).toEqual(['<script', '</script']);
  expect(html).not.toContain('<!--');
  expect(answers[0]?.data).toEqual({ title });
});

const file = { html: '<body>drawn</body></html>', styles: ["'sha256-a'"] };

it('sends the page drawn with all answers, with its styles in the policy, to be stored by nobody', async () => {
  const names: string[] = [];
  const { sent, headers } = await visit({
    async draw(empty, _request, { answers }) {
      names.push(empty.html, ...answers.map(({ name }) => name).sort());
      return file;
    },
  });
  expect(names).toEqual([HTML, 'AlertMatches', 'LiveStart', 'Viewer']);
  expect(sent).toEqual([file.html]);
  expect(headers).toEqual(['Cache-Control: private, no-store', "Content-Security-Policy: 'sha256-a'"]);
});

it('asks as the user for what else a drawn page shows, with the limits', async () => {
  let isOver = false;
  const asked: unknown[] = [];
  const answer: Answer = async (query, variables, { viewer }) => {
    if (query.includes('site')) asked.push([query, variables, viewer?.id]);
    return query.includes('broken') ? undefined : { query };
  };
  const draw: DrawnPages['fillForUser'] = async (_empty, _request, { ask }) => {
    expect(await ask(parse('{ site { a } }'), { n: 1 })).toBeDefined();
    await expect(ask(parse('{ broken }'), {})).rejects.toThrow();
    isOver = true;
    return file;
  };
  await visit({ answer, draw });
  expect([isOver, asked]).toEqual([true, [['{\n  site {\n    a\n  }\n}', { n: 1 }, 1]]]);
});

it('sends the shell with its data where the page is not drawn, or lacks an answer', async () => {
  expect((await visit({ draw: async () => null })).names).toEqual(['AlertMatches', 'LiveStart', 'Viewer']);
  const failing: Answer = (name) => (name === 'Viewer' ? Promise.resolve(undefined) : Promise.resolve({}));
  const { html, names } = await visit({ answer: failing, draw: async () => file });
  expect([html.startsWith('<body>shell'), names]).toEqual([true, ['AlertMatches', 'LiveStart']]);
});
