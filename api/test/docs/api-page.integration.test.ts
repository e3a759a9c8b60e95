import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../src/base/free-port.ts';
import { insertMatches, storeCars } from '../factories.ts';
import { makeTestApi, type TestApi } from '../make-app.ts';
import { setUpFolder } from '../set-up.ts';

interface Block {
  kind: string;
  code: string;
  /** The output that the page shows for it. */
  shown: { kind: string; code: string } | null;
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
const page = readFileSync(join(root, 'api/docs/api.md'), 'utf8');
const fences = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, kind = '', code = '']) => ({ kind, code }));
const blocks: Block[] = fences.map((fence, index) => {
  const next = fences[index + 1];
  return { ...fence, shown: next && ['json', 'text'].includes(next.kind) ? next : null };
});
const run = promisify(execFile);

let api: TestApi;
const folder = setUpFolder();
let home: string;
let proxy: Server;
const connections = new Set<Socket>();

/** All requests pass through a proxy, so that a test can cut the connections. */
beforeAll(async () => {
  const port = await freePort();
  home = `http://localhost:${port}`;
  api = await makeTestApi({ env: { PUBLIC_URL: home, RATE_LIMITS: 'on' } });
  proxy = createServer((near) => {
    const far = connect(api.port, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
    connections.add(near);
    near.on('close', () => connections.delete(near));
  });
  await new Promise<void>((resolve) => proxy.listen(port, 'localhost', resolve));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(async () => {
  for (const socket of connections) socket.destroy();
  proxy?.close();
  await api?.close();
});

const here = (code: string) => code.replaceAll('http://localhost:4000', home);
const scripts = blocks.filter(({ kind }) => kind === 'js').map(({ code }) => code);
const scriptWith = (words: string) => {
  const [found, ...more] = scripts.filter((code) => code.includes(words));
  if (!found || more.length > 0) throw new Error(`Exactly one script must contain ${words}.`);
  const file = join(folder, `${words.replaceAll(/\W/g, '')}.mjs`);
  writeFileSync(file, here(found));
  return file;
};
const alertId = async () => Number((await api.db.row('select id from alerts')).id);
let made = 0;
const addMatches = async (count: number) => {
  const cars = Array.from({ length: count }, () => ({ title: `2018 Toyota Camry no ${++made}` }));
  await insertMatches(api.db.pool, await alertId(), await storeCars(api.db.pool, cars));
};

/** The names of all fields, at every depth and of every element, with the types of the values. */
const namesIn = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(namesIn)
    : value !== null && typeof value === 'object'
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, namesIn(inner)]))
      : typeof value;

describe('api.md', () => {
  it('shows commands that answer as the page says, run one after the other', async () => {
    const commands = blocks.filter(({ kind }) => kind === 'bash');
    expect(commands.length).toBeGreaterThanOrEqual(8);
    const answers: string[] = [];
    for (const { code } of commands) {
      // The page says that keys need Elite; the reader pays for the plan, and here the test sets it.
      if (code.includes('createApiKey')) await api.db.pool.query('update users set plan_id = 4');
      // A running LotWatch would have found a match and decided to announce it.
      if (code.includes('saveListing')) await addMatches(1);
      if (code.includes('notificationLog')) {
        await api.db.pool.query(
          `insert into notifications (user_id, alert_id, listing_id, due_at, held_by)
           select a.user_id, a.id, m.listing_id, now() + interval '1 hour', 'paused'
             from alerts a join matches m on m.alert_id = a.id and m.user_id = a.user_id`,
        );
      }
      answers.push((await run('bash', ['-euc', here(code)], { cwd: folder })).stdout);
    }
    for (const [index, { code, shown }] of commands.entries()) {
      const answer = answers[index] ?? '';
      if (shown?.kind === 'text') expect([code, answer.trim()]).toEqual([code, shown.code.trim()]);
      else if (shown) expect([code, namesIn(JSON.parse(answer))]).toEqual([code, namesIn(JSON.parse(shown.code))]);
      else expect([code, Array.isArray(JSON.parse(answer))]).toEqual([code, true]);
      if (shown?.code.includes('"code"')) expect(JSON.parse(answer)).toEqual(JSON.parse(shown.code));
    }
  });

  it.each(['hasMore', 'rel="next"'])('has a script with %s that reads all pages', async (words) => {
    await addMatches(60);
    const { stdout } = await run(process.execPath, [scriptWith(words)], { cwd: folder });
    const lines = stdout.trim().split('\n');
    expect(lines).toHaveLength(made);
    expect(lines[0]).toMatch(/^2018 Toyota Camry no \d+ 15400/);
  });

  it('has a live script that resumes after a lost connection and prints each match once', async () => {
    const live: ChildProcess = spawn(process.execPath, [scriptWith('graphql-ws')], { cwd: folder });
    try {
      let printed = '';
      let state = '';
      live.stdout?.on('data', (data) => {
        printed += data;
      });
      live.stderr?.on('data', (data) => {
        state += data;
      });
      const numbers = () => [...printed.matchAll(/ no (\d+) /g)].map(([, number]) => Number(number));
      await expect.poll(() => state).toContain('waiting from now on');
      // The script prints matches from its subscription on. The test can't see when that begins, so it adds matches until one
      // is printed.
      await expect
        .poll(async () => {
          if (numbers().length === 0) await addMatches(1);
          return numbers().length;
        })
        .toBeGreaterThan(0);
      for (const socket of connections) socket.destroy();
      await addMatches(3);
      await expect.poll(() => state).toContain('going on');
      await addMatches(1);
      await expect.poll(() => numbers().at(-1)).toBe(made);
      const [first = 0] = numbers();
      expect(numbers()).toEqual(Array.from({ length: made - first + 1 }, (_, index) => first + index));
    } finally {
      live.kill('SIGKILL');
    }
  });
});
