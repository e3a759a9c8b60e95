import { createServer, connect as open, type Server } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { listen } from '../../lab/local-server.ts';
import { type CommitProxy, type CommitTrouble, NO_TROUBLE, startCommitProxy } from './commit-proxy.ts';

let server: Server;
let proxy: CommitProxy;
/** What the server has got. */
let got: string;
let trouble: CommitTrouble;

beforeEach(async () => {
  got = '';
  server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (sent) => {
      got += sent;
      socket.write('done');
    });
  });
  const port = Number(new URL(await listen(server)).port);
  trouble = { ...NO_TROUBLE, random: () => 0 };
  proxy = await startCommitProxy({ host: '127.0.0.1', port }, trouble);
});
afterEach(() => {
  proxy.stop();
  server.close();
});

/** Sends statements one after another. @returns the answers, without those that the end of the connection has cut off */
async function send(...statements: string[]): Promise<string[]> {
  const socket = open(proxy.port, '127.0.0.1');
  const answers: string[] = [];
  for (const statement of statements) {
    const answer = await new Promise<string | null>((resolve) => {
      socket.once('data', (data) => resolve(String(data))).once('close', () => resolve(null));
      socket.write(statement);
    });
    if (answer === null) break;
    answers.push(answer);
  }
  socket.destroy();
  return answers;
}

const begin = 'BEGIN TRANSACTION ISOLATION LEVEL READ COMMITTED;';
const insert = 'insert into matches values (1)';
const commit = "COMMIT PREPARED 'citus_0_7_1'";

it('loses a commit with its connection, or its answer, and nothing else', async () => {
  trouble.cut = 1;
  expect(await send('select 1', commit)).toEqual(['done']);
  expect(got).toBe('select 1');
  Object.assign(trouble, { cut: 0, unanswered: 1 });
  expect(await send(commit)).toEqual([]);
  expect(got).toBe(`select 1${commit}`);
  expect(proxy.counts).toEqual({ ...NO_TROUBLE, cut: 1, unanswered: 1 });
});

it('lets whoever repeats the lost commit of matches wait, once, and others pass meanwhile', async () => {
  trouble.decidedLate = 1;
  expect(await send(commit)).toEqual(['done']);
  expect(await send(insert, 'ROLLBACK', begin, commit)).toHaveLength(4);
  expect(await send(begin, insert, commit)).toEqual(['done', 'done']);
  got = '';
  trouble.random = () => 1;
  const repeated = send(commit);
  await send('select 1');
  expect(got).toBe('select 1');
  expect(await repeated).toEqual(['done']);
  expect(got).toBe(`select 1${commit}`);
  expect(proxy.counts).toEqual({ ...NO_TROUBLE, decidedLate: 1 });
});
