import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** How often what is sent to a server to end a prepared transaction comes late, or is lost with its connection. */
export interface CommitTrouble {
  /** From 0 to 1. */
  late: number;
  cut: number;
  random(): number;
}

export interface CommitProxy {
  port: number;
  /** How many commits came late, and how many were lost, until now. */
  counts: { late: number; cut: number };
  stop(): void;
}

const COMMIT = Buffer.from('COMMIT PREPARED');
const LATE_MS = { least: 100, most: 500 };

/** Starts a proxy before a worker of a cluster, by which the other servers reach it. */
export function startCommitProxy(target: { host: string; port: number }, trouble: CommitTrouble): Promise<CommitProxy> {
  const counts = { late: 0, cut: 0 };
  const sockets = new Set<net.Socket>();

  /** Decides what happens to what a server sends. @returns after how many ms it is passed on; null where it is lost */
  function decide(sent: Buffer): number | null {
    if (!sent.includes(COMMIT)) return 0;
    const drawn = trouble.random();
    if (drawn < trouble.cut) {
      counts.cut += 1;
      return null;
    }
    if (drawn >= trouble.cut + trouble.late) return 0;
    counts.late += 1;
    return LATE_MS.least + trouble.random() * (LATE_MS.most - LATE_MS.least);
  }

  const server = net.createServer({ noDelay: true }, (near) => {
    const far = net.connect({ ...target, noDelay: true });
    const end = () => {
      near.destroy();
      far.destroy();
    };
    let passed: Promise<unknown> = Promise.resolve();
    near.on('data', (sent) => {
      const ms = decide(sent);
      if (ms === null) end();
      else passed = passed.then(() => (ms > 0 ? sleep(ms) : undefined)).then(() => far.write(sent));
    });
    far.on('data', (answer) => near.write(answer));
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
