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
   * It is lost as with `cut`, if its transaction has inserted matches. When `recover_prepared_transactions` repeats it, it reaches
   * the server one to three seconds late. The coordinator has released the transaction's locks by then, so others commit before it.
   */
  decidedLate: number;
  random(): number;
}

export type Shares = Omit<CommitTrouble, 'random'>;
export type Trouble = keyof Shares;

export const NO_TROUBLE: Readonly<Shares> = { cut: 0, late: 0, unanswered: 0, decidedLate: 0 };
export const troubles = Object.keys(NO_TROUBLE) as readonly Trouble[];

export interface CommitProxy {
  port: number;
  /** How many commits have had each trouble, until now. */
  counts: Shares;
  stop(): void;
}

type Fate = Trouble | 'passed';

/** As Citus begins each transaction, and waits for the answer. */
const BEGIN = Buffer.from('BEGIN TRANSACTION ISOLATION LEVEL');
const COMMIT = Buffer.from('COMMIT PREPARED');
/** In a parameter of `run_on_shard`: a statement of Citus' own would name the shard. */
const MATCHES = Buffer.from('into matches ');
const LATE_MS = { least: 100, most: 500 };
const DECIDED_LATE_MS = { least: 1_000, most: 3_000 };
const NAME = /COMMIT PREPARED '([^']+)'/;

/** Starts a proxy before a worker of a cluster, by which the other servers reach it. @param trouble is read at each commit */
export function startCommitProxy(target: { host: string; port: number }, trouble: CommitTrouble): Promise<CommitProxy> {
  const counts: Shares = { ...NO_TROUBLE };
  const sockets = new Set<net.Socket>();
  /** The transactions whose commit was lost, and is delayed when it is repeated. */
  const inDoubt = new Set<string>();

  function fateOf(hasMatches: boolean): Fate {
    let drawn = trouble.random();
    const fate = troubles.find((one) => {
      drawn -= trouble[one];
      return drawn < 0;
    });
    if (fate === undefined || (fate === 'decidedLate' && !hasMatches)) return 'passed';
    counts[fate] += 1;
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
      if (sent.includes(BEGIN)) hasMatches = false;
      hasMatches ||= sent.includes(MATCHES);
      const name = sent.includes(COMMIT) ? NAME.exec(sent.toString('latin1'))?.[1] : undefined;
      const isRepeated = name !== undefined && inDoubt.delete(name);
      const fate = name !== undefined && !isRepeated ? fateOf(hasMatches) : 'passed';
      if (name !== undefined && fate === 'decidedLate') inDoubt.add(name);
      if (fate === 'cut' || fate === 'decidedLate') return end();
      isUnanswered ||= fate === 'unanswered';
      const delay = isRepeated ? DECIDED_LATE_MS : fate === 'late' ? LATE_MS : undefined;
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
