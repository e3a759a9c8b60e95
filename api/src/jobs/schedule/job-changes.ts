import { MongoChangeStreamNotificationChannel } from '@agendajs/mongo-backend';
import { BaseNotificationChannel } from 'agenda';
import type { Db, MongoClient, ServerDescriptionChangedEvent } from 'mongodb';

interface Options {
  /** Not connected yet, so that no description of a server is missed. */
  client: MongoClient;
  db: Db;
  collection: string;
  warn: (error: unknown) => void;
}

/** How soon a stream is opened again. The time doubles while the server refuses. */
const RETRY_MS = { least: 1_000, most: 60_000 };
/** A shard's router has streams too, of all shards. */
const WITH_STREAMS: readonly string[] = ['RSPrimary', 'Mongos', 'LoadBalancer'];

/**
 * Tells Agenda at once of a job that any process made due, by Agenda's change stream, while MongoDB is a replica set. Without
 * one, and whenever the stream is away, Agenda's polling finds the job. Whether there is one is decided whenever the
 * driver learns what a server is.
 */
export class JobChanges extends BaseNotificationChannel {
  readonly #options: Options;
  #isWanted = false;
  #hasStreams = false;
  #stream: MongoChangeStreamNotificationChannel | undefined;
  #retry: NodeJS.Timeout | undefined;
  #delayMs = RETRY_MS.least;

  constructor(options: Options) {
    super();
    this.#options = options;
    options.client.on('serverDescriptionChanged', this.#learn);
  }

  /** Whether a stream is open, or about to be. */
  get isFollowing(): boolean {
    return this.#stream !== undefined;
  }

  connect(): Promise<void> {
    this.#isWanted = true;
    this.setState('connected');
    this.#open();
    return Promise.resolve();
  }

  async disconnect(): Promise<void> {
    this.#isWanted = false;
    this.#options.client.off('serverDescriptionChanged', this.#learn);
    this.setState('disconnected');
    await this.#shut();
  }

  /** The stream tells of what was saved; nothing else has to. */
  publish(): Promise<void> {
    return Promise.resolve();
  }

  #learn = ({ newDescription: { type } }: ServerDescriptionChangedEvent): void => {
    if (WITH_STREAMS.includes(type)) {
      this.#hasStreams = true;
      this.#open();
    } else if (type === 'Standalone') {
      this.#hasStreams = false;
      void this.#shut();
    }
  };

  #open(): void {
    if (!this.#isWanted || !this.#hasStreams || this.#stream || this.#retry) return;
    const { db, collection } = this.#options;
    // Its own attempts never slow down, so they serve only for a stream that the server closes without an error.
    const reconnect = { enabled: true, initialDelayMs: RETRY_MS.least };
    const stream = new MongoChangeStreamNotificationChannel({ db, collection, reconnect });
    this.#stream = stream;
    stream.subscribe((notification) => {
      this.#delayMs = RETRY_MS.least;
      return this.notifyHandlers(notification);
    });
    stream.on('error', (error) => this.#openLater(stream, error));
    stream.connect().catch((error: unknown) => this.#openLater(stream, error));
  }

  /** Opens another stream after a while: a token of the old one may be too old for the server. */
  #openLater(failed: MongoChangeStreamNotificationChannel, error: unknown): void {
    if (this.#stream !== failed) return;
    this.#options.warn(error);
    void this.#shut();
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.#open();
    }, this.#delayMs);
    this.#delayMs = Math.min(2 * this.#delayMs, RETRY_MS.most);
  }

  async #shut(): Promise<void> {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    const stream = this.#stream;
    this.#stream = undefined;
    await stream?.disconnect();
  }
}
