import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** How often what is sent to a server to end a prepared transaction comes late or is lost, or its answer is. */
export interface CommitTrouble {
  /** From 0 to 1. */
  late: number;
  /** It is lost with its connection, so that the transaction stays prepared. */
  cut: number;
  /** The server gets it, and the connection ends before its answer. */
  unanswered: number;
  /**
   * It is lost likewise, where the transaction has written matches, and reaches the server seconds later from whoever decides what
   * is prepared. Others, which wait for no lock of it at the coordinator then, commit before it.
   */
  undecided: number;
  random(): number;
}

export type Shares = Omit<CommitTrouble, 'random'>;

export const NO_TROUBLE: Readonly<Shares> = { late: 0, cut: 0, unanswered: 0, undecided: 0 };
export const fates = Object.keys(NO_TROUBLE) as (keyof Shares)[];

export interface CommitProxy {
  port: number;
  /** How many commits came late, were lost, and were not answered, until now. */
  counts: Shares;
  stop(): void;
}

type Fate = keyof Shares | 'passed';

const COMMIT = Buffer.from('COMMIT PREPARED');
const MATCHES = Buffer.from('into matches ');
const LATE_MS = { least: 100, most: 500 };
const UNDECIDED_MS = { least: 1_000, most: 3_000 };
const NAME = /COMMIT PREPARED '([^']+)'/;

/** Starts a proxy before a worker of a cluster, by which the other servers reach it. @param trouble is read at each commit */
export function startCommitProxy(target: { host: string; port: number }, trouble: CommitTrouble): Promise<CommitProxy> {
  const counts: Shares = { ...NO_TROUBLE };
  const sockets = new Set<net.Socket>();
  /** The transactions whose commit was lost, and is delayed when it is repeated. */
  const undecided = new Set<string>();

  function draw(hasMatches: boolean): Fate {
    let drawn = trouble.random();
    for (const fate of fates) {
      if (drawn < trouble[fate]) return fate === 'undecided' && !hasMatches ? 'passed' : fate;
      drawn -= trouble[fate];
    }
    return 'passed';
  }

  function fateOf(hasMatches: boolean): Fate {
    const fate = draw(hasMatches);
    if (fate !== 'passed') counts[fate] += 1;
    return fate;
  }

  const server = net.createServer({ noDelay: true }, (near) => {
    const far = net.connect({ ...target, noDelay: true });
    const end = () => {
      near.destroy();
      far.destroy();
    };
    let passed: Promise<unknown> = Promise.resolve();
    let isUnanswered = false;
    let hasMatches = false;
    near.on('data', (sent) => {
      hasMatches ||= sent.includes(MATCHES);
      const isCommit = sent.includes(COMMIT);
      const name = isCommit ? (NAME.exec(sent.toString('latin1'))?.[1] ?? '') : '';
      const isKept = undecided.delete(name);
      const fate = isCommit && !isKept ? fateOf(hasMatches) : 'passed';
      if (isCommit) hasMatches = false;
      if (fate === 'undecided') undecided.add(name);
      if (fate === 'cut' || fate === 'undecided') return end();
      isUnanswered ||= fate === 'unanswered';
      const delay = isKept ? UNDECIDED_MS : fate === 'late' ? LATE_MS : undefined;
      const ms = delay ? delay.least + trouble.random() * (delay.most - delay.least) : 0;
      passed = passed.then(() => (ms > 0 ? sleep(ms) : undefined)).then(() => far.write(sent));
    });
    far.on('data', (answer) => (isUnanswered ? end() : near.write(answer)));
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', end).on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const stop = () => {
        server.close();
        for (const socket of sockets) socket.destroy();
      };
      resolve({ port: (server.address() as net.AddressInfo).port, counts, stop });
    });
  });
}
