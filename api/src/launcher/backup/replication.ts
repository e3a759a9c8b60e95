import pg from 'pg';

/** A position in the server's log (LSN), in bytes. */
export type Lsn = bigint;

export function parseLsn(text: string): Lsn {
  const [high = '0', low = '0'] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

export const formatLsn = (lsn: Lsn): string =>
  `${(lsn >> 32n).toString(16).toUpperCase()}/${(lsn & 0xffff_ffffn).toString(16).toUpperCase()}`;

interface Connection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  stream: { pause(): void; resume(): void; destroy(): void };
}

export type Row = (string | null)[];

/** What a command of the replication protocol answers: rows of one or several results, and copied data between them. */
interface Handlers {
  /** @param results the rows that came before */
  onCopied?(chunk: Buffer, connection: Connection, results: readonly Row[][]): void;
}

/** One command, as the pg package's client runs it. */
class Command {
  readonly results: Row[][] = [];
  readonly done: Promise<Row[][]>;
  connection: Connection | undefined;
  private settle: { resolve(rows: Row[][]): void; reject(error: Error): void } | undefined;
  private readonly text: string;
  private readonly handlers: Handlers;

  constructor(text: string, handlers: Handlers) {
    this.text = text;
    this.handlers = handlers;
    this.done = new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
    });
    this.done.catch(() => {});
  }
  submit(connection: Connection): void {
    this.connection = connection;
    connection.query(this.text);
  }
  handleRowDescription(): void {
    this.results.push([]);
  }
  handleDataRow(message: { fields: Row }): void {
    this.results.at(-1)?.push(message.fields);
  }
  handleCopyData(message: { chunk: Buffer }, connection: Connection): void {
    this.handlers.onCopied?.(message.chunk, connection, this.results);
  }
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handleReadyForQuery(): void {
    this.settle?.resolve(this.results);
  }
  handleError(error: Error): void {
    this.settle?.reject(error);
  }
}

export interface Replication {
  /** Runs a command, and resolves with the rows of its results. */
  run(text: string, handlers?: Handlers): Promise<Row[][]>;
  /** Sends data to the server while a command copies in both directions. */
  send(chunk: Buffer): void;
  /** Rejects when the connection is lost. */
  lost: Promise<never>;
  end(): Promise<void>;
}

/** Connects to a server as its replica does. @param databaseUrl of a role with the privilege REPLICATION */
export async function connectReplication(databaseUrl: string, name: string): Promise<Replication> {
  // The types of the package leave out `replication`, by which the server accepts these commands.
  const config = { connectionString: databaseUrl, application_name: name, replication: 'true', keepAlive: true };
  const client = new pg.Client(config as pg.ClientConfig);
  const lost = new Promise<never>((_resolve, reject) => {
    client.on('error', reject);
    client.on('end', () => reject(new Error('The connection to PostgreSQL has ended.')));
  });
  lost.catch(() => {});
  await client.connect();
  let current: Command | undefined;
  return {
    run(text, handlers = {}) {
      const command = new Command(text, handlers);
      current = command;
      client.query(command as unknown as pg.Submittable);
      return Promise.race([command.done, lost]);
    },
    send: (chunk) => current?.connection?.sendCopyFromChunk(chunk),
    lost,
    async end() {
      await client.end().catch(() => {});
    },
  };
}

export interface ClusterIdentity {
  systemId: string;
  timeline: number;
  position: Lsn;
}

export async function identify(replication: Replication): Promise<ClusterIdentity> {
  const [[row = []] = []] = await replication.run('IDENTIFY_SYSTEM');
  return { systemId: row[0] ?? '', timeline: Number(row[1]), position: parseLsn(row[2] ?? '0/0') };
}

const units: Record<string, number> = { kB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 };

/** The size of the server's log segments in bytes. */
export async function readSegmentBytes(replication: Replication): Promise<number> {
  const [[row = []] = []] = await replication.run('SHOW wal_segment_size');
  const [, count = '16', unit = 'MB'] = /^(\d+)\s*(kB|MB|GB)$/.exec(row[0] ?? '') ?? [];
  return Number(count) * (units[unit] ?? 1);
}
