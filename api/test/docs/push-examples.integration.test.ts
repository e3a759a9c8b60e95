/** @module-tag long */
import { execFile, execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { setUpApi } from '../make-app.ts';
import { setUpFolder, setUpServer } from '../set-up.ts';

const TOKEN = 'a-push-token';
const folder = setUpFolder();
const api = setUpApi({ env: { INGEST_TOKEN: TOKEN } });
let bodies: Buffer[] = [];
/** Answers of the proxy in place of LotWatch's, the next first. */
let refusals: number[] = [];

/** LotWatch behind a proxy that refuses some requests. */
const proxy = setUpServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const refused = refusals.shift();
  if (refused !== undefined) {
    response
      .writeHead(refused, { 'retry-after': '1', 'content-type': 'application/json' })
      .end('{"code":"UNAVAILABLE"}');
    return;
  }
  bodies.push(body);
  const answer = await fetch(`${api.url}${request.url}`, {
    method: 'POST',
    body: new Uint8Array(body),
    headers: {
      authorization: request.headers.authorization ?? '',
      'content-type': request.headers['content-type'] ?? '',
    },
  });
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
});

interface Outcome {
  code: number;
  out: string;
  err: string;
}

const examples = join(import.meta.dirname, '../../docs/examples/push');
const run = (command: string, script: string, args: string[], token = TOKEN): Promise<Outcome> =>
  new Promise((resolve) => {
    const env = { ...process.env, INGEST_TOKEN: token, LOTWATCH_URL: proxy.url };
    execFile(command, [join(examples, script), ...args], { env }, (error, out, err) => {
      resolve({ code: error ? Number(error.code) : 0, out, err });
    });
  });

function isThere(...commands: string[]): boolean {
  try {
    for (const command of commands) execFileSync(command, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const car = (id: number, more: object = {}) => ({ id: `c${id}`, title: '2015 Toyota Camry', price: 9000, ...more });
const fileOf = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const countIn = async (source: string) =>
  (await api.db.row('select count(*)::int as count from listings where source = $1', [source]))?.count;

beforeEach(() => {
  bodies = [];
  refusals = [];
});

describe.each([
  ['node', 'push.mjs', ['node']],
  ['python3', 'push.py', ['python3']],
  ['sh', 'push.sh', ['curl', 'jq']],
])('%s %s', (command, script, needed) => {
  const source = `by-${command}`;
  const test = it.skipIf(!isThere(...needed));

  test('sends all listings in batches, again after a refusal, and prints those that are rejected', async () => {
    const cars = Array.from({ length: 1003 }, (_, index) => car(index));
    refusals = [script.endsWith('py') ? 429 : 503];
    const path = fileOf('cars.json', JSON.stringify([...cars, { id: 'sofa', title: 'A sofa, like new', price: 50 }]));
    const { code, out, err } = await run(command, script, [source, path]);
    expect([code, err.includes(TOKEN), out]).toEqual([1, false, expect.stringMatching(/^rejected sofa: NOT_A_CAR, /m)]);
    expect(bodies.map((body) => body.toString().trimEnd().split('\n').length)).toEqual([1000, 4]);
    expect(await countIn(source)).toBe(1003);
  });

  test('divides what is larger than 5 MB, and takes one listing a line', async () => {
    const cars = Array.from({ length: 30 }, (_, index) => car(index, { description: 'ä'.repeat(100_000) }));
    const path = fileOf('cars.jsonl', cars.map((one) => `${JSON.stringify(one)}\n`).join(''));
    const { code, out } = await run(command, script, [`${source}-large`, path]);
    expect([code, out]).toEqual([0, expect.not.stringContaining('rejected c')]);
    expect(bodies.length).toBeGreaterThan(1);
    expect(await countIn(`${source}-large`)).toBe(30);
  });

  test.each([
    ['lines of which the last is cut', `${JSON.stringify(car(1))}\n{"id": "c2", "title": "2015 Toyo`],
    ['an array that is cut', JSON.stringify([car(1), car(2)]).slice(0, -9)],
    ['no JSON', '<html></html>'],
  ])('sends nothing of a file that has %s, and says so', async (_, text) => {
    const { code, err } = await run(command, script, [source, fileOf('cut.json', text)]);
    expect([code, bodies.length, err]).toEqual([1, 0, expect.stringMatching(/^Not sent: /m)]);
    expect(err).not.toContain('Traceback');
  });

  test('sends nothing without its file', async () => {
    const { code, err } = await run(command, script, [source, join(folder, 'none.json')]);
    expect([code, bodies.length, err]).toEqual([1, 0, expect.stringMatching(/^Not sent: /m)]);
  });

  test('does not repeat what is refused for good', async () => {
    const { code, out } = await run(command, script, [source, fileOf('one.json', JSON.stringify([car(1)]))], 'wrong');
    expect([code === 0, bodies.length, out.includes('"accepted":1')]).toEqual([false, 1, false]);
  });
});
