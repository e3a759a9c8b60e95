import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePool, type Pool } from '../../src/base/database.ts';
import { type Encryption, makeEncryption } from '../../src/base/encryption.ts';
import { type Log, silentLog } from '../../src/base/log.ts';
import { makeBilling } from '../../src/billing/make-billing.ts';
import { makeGazetteer } from '../../src/domain/places/places.ts';
import { retireAbsent } from '../../src/intake/retire-listings.ts';
import { storeListings } from '../../src/intake/store-listings.ts';
import { bindJobs, type Job } from '../../src/jobs/job.ts';
import { jobs } from '../../src/jobs/jobs.ts';
import { makeEmailEngine } from '../../src/notify/channels/email/email.ts';
import { makeSmsEngine } from '../../src/notify/channels/sms/sms.ts';
import { readMarketplaceItems } from '../../src/sources/marketplace-items/read-marketplace-items.ts';
import { readVehicleFeed } from '../../src/sources/vehicle-feed/read-feed.ts';
import type { Payments } from '../../src/vendors/payments/payments.ts';
import { PhotoFault, type PhotoRequest } from '../../src/vendors/photos/read-photo.ts';
import type { Texter } from '../../src/vendors/texts/text.ts';
import { fetchPage } from '../../src/vendors/web-fetch.ts';
import { makeDeliverer } from '../../src/webhooks/deliver/deliverer.ts';
import { makeEventMaker } from '../../src/webhooks/events/event-maker.ts';
import type { TestDatabase } from '../database.ts';
import { emailParts, recordingMailer } from '../mail/mail-fixtures.ts';
import { type FakePayments, makeFakePayments } from '../payments/fake-payments.ts';

/** Two workers over one database, and a count of everything that leaves either of them. */
export interface TwoWorkers {
  db: TestDatabase;
  jobs: [Job[], Job[]];
  /** How often each thing left, by a name that says what it was. */
  departures: Map<string, number>;
  /** What was logged as an error or as wrong. */
  troubles: unknown[];
  payments: FakePayments;
  encryption: Encryption;
  /** Serves a feed under any path. */
  sourceUrl: string;
  /** Settles when nothing that a job started is under way. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** The workers' former secret, and the purpose for which their key is derived. */
export const FORMER_SECRET = 'a secret of this test that was before it';
export const PURPOSE = 'webhook secrets';

/** Everybody outside takes so long to answer: meanwhile the other worker looks for work. */
const ANSWER_MS = 15;
const feed =
  'vehicle_id,make,model,year,price,mileage.value\n1,Ford,Focus,2016,8000,61234\n2,Ford,Focus,2017,9000,52345\n';

export async function startTwoWorkers(db: TestDatabase): Promise<TwoWorkers> {
  const departures = new Map<string, number>();
  const troubles: unknown[] = [];
  const depart = async (what: string): Promise<void> => {
    departures.set(what, (departures.get(what) ?? 0) + 1);
    await sleep(ANSWER_MS);
  };
  const server = createServer((request, response) => {
    void depart(`fetch ${request.url}`).then(() => response.writeHead(200).end(feed));
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));

  const payments = makeFakePayments();
  const counted = new Proxy<Payments>(payments, {
    get(target, name: keyof Payments) {
      const call = target[name] as (...given: unknown[]) => unknown;
      return async (...given: unknown[]) => {
        await depart(`stripe ${name} ${String(given[0])}`);
        return call(...given);
      };
    },
  });
  const note = (message: string, data?: Record<string, unknown>) => void troubles.push([message, data]);
  const log: Log = { ...silentLog, warn: note, error: note };
  const encryption = makeEncryption(['a secret of this test that is long enough', FORMER_SECRET], PURPOSE);
  const shared = { counted, depart, log, encryption };
  const workers = [makeWorker(db, shared), makeWorker(db, shared)] as const;
  return {
    db,
    jobs: [workers[0].jobs, workers[1].jobs],
    departures,
    troubles,
    payments,
    encryption,
    sourceUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async idle() {
      await Promise.all(workers.map((worker) => worker.idle()));
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.close()));
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Shared {
  counted: Payments;
  depart(what: string): Promise<void>;
  log: Log;
  encryption: Encryption;
}

const gazetteer = makeGazetteer();

function makeWorker(db: TestDatabase, { counted, depart, log, encryption }: Shared) {
  const pool: Pool = makePool(db.url, 20, 'one-of-two-workers');
  const { signal } = new AbortController();
  const settings = { stripe: null, publicUrl: 'http://localhost:4000', confirmEmail: true };
  const billing = makeBilling({ settings, databaseUrl: db.url, log, payments: counted });
  const webhookDeliverer = makeDeliverer({
    pool,
    post: async ({ url, body }) => {
      const { type, data } = JSON.parse(body);
      await depart(`post ${url} ${type} ${data.alert.id}`);
      return { status: 200, text: 'ok', retryAfterSeconds: null };
    },
    encryption,
    allowPrivateNetwork: true,
    allowHttp: true,
    confirmEmail: true,
    log,
    signal,
  });
  const mailer = recordingMailer(({ kind, to }) => depart(`mail ${kind} ${to}`));
  const texter: Texter = {
    timeoutMs: 1_000,
    async send({ to }) {
      await depart(`text ${to}`);
      return { sid: null };
    },
  };
  const { publicUrl, confirmEmail } = settings;
  const parts = {
    pool,
    log,
    signal,
    now: () => new Date(),
    confirmEmail,
    storeListings,
    retireAbsent,
    readers: { 'marketplace-items': readMarketplaceItems, 'vehicle-feed': readVehicleFeed },
    gazetteer,
    fetchPage,
    encryption,
    billing: billing.parts,
    async readPhoto({ url }: PhotoRequest) {
      await depart(`photo ${url}`);
      throw new PhotoFault(true, new Error('It is no photo.'));
    },
    purgeOutbox: () => Promise.resolve(0),
    encryptedColumns: [{ table: 'webhooks', key: 'id', below: '0', columns: ['secret_ciphertext'], encryption }],
    hasFormer: true,
    eventMaker: makeEventMaker(pool, { log }),
    webhookDeliverer,
    emailEngine: makeEmailEngine(emailParts(db, mailer, { pool, log, signal })),
    smsEngine: makeSmsEngine({ pool, texter, log, publicUrl, confirmEmail, signal }),
  };
  return {
    jobs: bindJobs(jobs, parts),
    idle: () => webhookDeliverer.idle(),
    async close() {
      await billing.close();
      await pool.end();
    },
  };
}
