import { setTimeout as sleep } from 'node:timers/promises';
import { MongoBackend } from '@agendajs/mongo-backend';
import { MongoClient } from 'mongodb';
import { JobChanges } from './job-changes.ts';
import type { JobStore } from './job-store.ts';

/** How long MongoDB may take to name a primary, to accept a connection, and to copy a write to the majority. */
const TIMEOUT_MS = 5_000;
/** A primary that is cut off without a word is given up after this long; longer than a write may take. */
const SILENT_MS = 10_000;
/** How soon a connection is tried again that failed. */
const RETRY_MS = 1_000;

/**
 * Makes the store of jobs in MongoDB. What is acknowledged survives the loss of a primary, and what a primary did not
 * acknowledge is asked of the next one; of a single server the majority is itself.
 */
export function makeMongoStore(url: string, warn: (error: unknown) => void): JobStore {
  const client = new MongoClient(url, {
    appName: 'lotwatch',
    serverSelectionTimeoutMS: TIMEOUT_MS,
    connectTimeoutMS: TIMEOUT_MS,
    socketTimeoutMS: SILENT_MS,
    writeConcern: { w: 'majority', wtimeoutMS: TIMEOUT_MS },
    readConcern: { level: 'majority' },
    // A secondary may lag behind, and would show a job as free that is locked.
    readPreference: 'primary',
    retryWrites: true,
    retryReads: true,
  });
  const db = client.db();
  const collection = 'agenda_jobs';
  const backend = new MongoBackend({ mongo: db, collection });
  const connect = backend.connect.bind(backend);
  backend.connect = async () => {
    await client.connect();
    await connect();
  };
  let connecting: Promise<void> | undefined;
  /** The driver does not try again by itself after a first connection has failed. */
  async function connectAgain(signal: AbortSignal): Promise<void> {
    await client.close(true);
    while (!signal.aborted) {
      try {
        await client.connect();
        break;
      } catch (error) {
        warn(error);
        await sleep(RETRY_MS, undefined, { signal }).catch(() => {});
      }
    }
    if (signal.aborted) await client.close(true);
  }
  return {
    name: 'MongoDB',
    backend,
    notificationChannel: new JobChanges({ client, db, collection, warn }),
    reconnect(signal) {
      connecting ??= connectAgain(signal).finally(() => {
        connecting = undefined;
      });
      return connecting;
    },
    close: () => client.close(),
  };
}
