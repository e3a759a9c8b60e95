import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gazetteer } from '../../lab/gazetteer.ts';
import { startLocalServer } from '../../lab/local-server.ts';
import { buildWorker, type WorkerOverrides } from '../../src/app/build-worker.ts';
import type { Encryption } from '../../src/base/encryption.ts';
import { type Log, silentLog } from '../../src/base/log.ts';
import { readSettings } from '../../src/base/settings/settings.ts';
import { webhookEncryption } from '../../src/from-settings.ts';
import type { Job } from '../../src/jobs/job.ts';
import type { Payments } from '../../src/vendors/payments/payments.ts';
import { PhotoFault } from '../../src/vendors/photos/read-photo.ts';
import type { TestDatabase } from '../database.ts';
import { recordingMailer } from '../mail/mail-fixtures.ts';
import { type FakePayments, makeFakePayments } from '../payments/fake-payments.ts';

/** Two workers over one database, with a count of every side effect of either. */
export interface TwoWorkers {
  db: TestDatabase;
  jobs: [readonly Job[], readonly Job[]];
  /** How often each side effect happened, by its name. */
  effects: Map<string, number>;
  /** Everything logged as a warning or an error. */
  problems: unknown[];
  payments: FakePayments;
  encryption: Encryption;
  /** Serves a feed under any path. */
  sourceUrl: string;
  /** Resolves when nothing that a job started is still running. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

const SESSION_SECRET = 'a secret of this test that is long enough';
/** The workers' previous secret. */
export const FORMER_SECRET = 'a secret of this test that was before it';

/** Every outside service takes this long to answer, so that the other worker looks for work meanwhile. */
const ANSWER_MS = 15;
const feed =
  'vehicle_id,make,model,year,price,mileage.value\n1,Ford,Focus,2016,8000,61234\n2,Ford,Focus,2017,9000,52345\n';

export async function startTwoWorkers(db: TestDatabase): Promise<TwoWorkers> {
  const effects = new Map<string, number>();
  const problems: unknown[] = [];
  const recordEffect = async (what: string): Promise<void> => {
    effects.set(what, (effects.get(what) ?? 0) + 1);
    await sleep(ANSWER_MS);
  };
  const server = await startLocalServer(async (request, response) => {
    await recordEffect(`fetch ${request.url}`);
    response.writeHead(200).end(feed);
  });

  const payments = makeFakePayments();
  const counted = new Proxy<Payments>(payments, {
    get(target, name: keyof Payments) {
      const call = target[name] as (...given: unknown[]) => unknown;
      return async (...given: unknown[]) => {
        await recordEffect(`stripe ${name} ${String(given[0])}`);
        return call(...given);
      };
    },
  });
  const record = (message: string, data?: Record<string, unknown>) => void problems.push([message, data]);
  const log: Log = { ...silentLog, warn: record, error: record };
  const folder = mkdtempSync(join(tmpdir(), 'lotwatch-workers-'));
  const settings = readSettings({
    DATABASE_URL: db.url,
    DATA_DIR: folder,
    SESSION_SECRET,
    SESSION_SECRET_FORMER: FORMER_SECRET,
    CONFIRM_EMAIL: 'on',
    WEBHOOK_PRIVATE_NETWORK: 'on',
  });
  const overrides: WorkerOverrides = {
    log,
    gazetteer,
    payments: counted,
    mailer: recordingMailer(({ kind, to }) => recordEffect(`mail ${kind} ${to}`)),
    texter: {
      timeoutMs: 1_000,
      async send({ to }) {
        await recordEffect(`text ${to}`);
        return { sid: null };
      },
    },
    async post({ url, body }) {
      if (typeof body !== 'string') {
        await recordEffect(`push ${url}`);
        return { status: 201, text: '', retryAfterSeconds: null };
      }
      const { type, data } = JSON.parse(body);
      await recordEffect(`post ${url} ${type} ${data.alert.id}`);
      return { status: 200, text: 'ok', retryAfterSeconds: null };
    },
    async readPhoto({ url }) {
      await recordEffect(`photo ${url}`);
      throw new PhotoFault(true, new Error('It is not a photo.'));
    },
  };
  const workers = [await buildWorker(settings, overrides), await buildWorker(settings, overrides)] as const;
  return {
    db,
    jobs: [workers[0].jobs, workers[1].jobs],
    effects,
    problems,
    payments,
    encryption: webhookEncryption(settings),
    sourceUrl: server.url,
    async idle() {
      await Promise.all(workers.map((worker) => worker.idle()));
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.close()));
      await server.close();
      rmSync(folder, { recursive: true });
    },
  };
}
