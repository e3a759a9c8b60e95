import { MongoBackend } from '@agendajs/mongo-backend';
import { MongoClient } from 'mongodb';
import { JobChanges } from './job-changes.ts';
import type { JobStore } from './job-store.ts';

/** How long MongoDB may take to name a primary, to accept a connection, and to copy a write to the majority. */
const TIMEOUT_MS = 5_000;
/** A primary that is cut off without a word is given up after this long; longer than a write may take. */
const SILENT_MS = 10_000;

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
  return {
    name: 'MongoDB',
    backend,
    notificationChannel: new JobChanges({ client, db, collection, warn }),
    async reconnect() {
      await client.close(true);
      await client.connect();
    },
    close: () => client.close(),
  };
}
