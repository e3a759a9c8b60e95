import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const endsOf = (end: string, names: string): string[] => names.split(/\s+/).map((name) => `/${name}${end}`);

/** Slow test files, the slowest first: one that starts last keeps its worker busy long after the others are done. */
const LONG = [
  ...endsOf(
    '.test.ts',
    `e2e/states e2e/first-match e2e/every-page e2e/routes e2e/push e2e/alert-form e2e/delivery e2e/offline e2e/rights
     e2e/hostile e2e/share e2e/notifications e2e/compare e2e/outage e2e/preview`,
  ),
  ...endsOf(
    '.integration.test.ts',
    `statements/statements rest/contract positions/other-server postgres/migrate backup/backup base/silent-database
     promotion/promotion matching/match-oracle schedule/agenda-faults base/read-only-database jobs/all-jobs-twice
     limits/shared-limits faults/receiver-down cli/admin-password second-factor/second-factor fuzz/fuzz app/traces
     hostile/arguments email/change-email-races serve/csv cli/quarantine poll/read-hostile positions/shown-again
     password/password app/connections docs/push-examples email/vendor-trouble postgres/embedded-postgres
     matching/match-races schedule/agenda races/races`,
  ),
  ...endsOf(
    '.test.ts',
    `patterns/patterns sources/hostile-texts launcher/bundle-parts snippets/broken schedule/mongo-store
     photos/scale-photo demo/stream processes/node-child`,
  ),
];

const rankOf = ({ moduleId }: TestSpecification): number => {
  const at = LONG.findIndex((end) => moduleId.endsWith(end));
  return at < 0 ? LONG.length : at;
};

/** Starts the slow files first. A fresh checkout has no recorded durations, and vitest would sort files by size. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

const root = new URL('..', import.meta.url).pathname;

/** Two copies of graphql (its ESM and its CJS file) would refuse each other's types. */
const shared = {
  root,
  resolve: {
    alias: [
      {
        find: /^graphql$/,
        replacement: `${root}node_modules/graphql/index.js`,
      },
    ],
  },
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
};

/** Thousands of hashes with the costs of production took a minute of the cores; the unit tests use these costs. */
const QUICK_HASHES = { find: /^@node-rs\/argon2$/, replacement: `${root}api/test/accounts/quick-argon2.ts` };

/** Files share their worker's modules, whose loading took as long as the tests. Four, for tests often wait for a database. */
const packed = { pool: 'forks' as const, isolate: false, maxWorkers: 4 };

/** What ends the server that all share, or changes all its cars: one file at a time. */
const alone = ['restart', 'fitted-prices'].map((name) => `web/e2e/${name}.test.ts`);

/** Both projects share one LotWatch; the files of a worker share its Chromium. */
const inBrowser = {
  root,
  globalSetup: [`${root}web/e2e/browser/browser.setup.ts`],
  pool: 'forks' as const,
  isolate: false,
  testTimeout: 180_000,
  hookTimeout: 180_000,
  // A page on a busy machine needs more than the usual second.
  expect: { poll: { timeout: 30_000, interval: 100 } },
};

export default defineConfig({
  root,
  test: {
    tags: [
      { name: 'long', description: 'Runs in `npm run test:all`; `npm test` leaves it out.' },
      {
        name: 'plain',
        description: 'About PostgreSQL on one server; left out on a cluster.',
        ...(process.env.CITUS_URL && { skip: true }),
      },
    ],
    reporters: ['default', `${root}api/test/closing-line.ts`],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        ...shared,
        test: {
          ...packed,
          name: 'unit',
          root,
          include: ['api/**/*.test.ts', 'web/src/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'api/**/*.integration.test.ts', 'api/**/*.launcher.test.ts'],
          // Properties try hundreds of texts: seconds on a free machine, many more on a busy one.
          testTimeout: 60_000,
        },
      },
      {
        ...shared,
        resolve: { alias: [...shared.resolve.alias, QUICK_HASHES] },
        test: {
          ...packed,
          name: 'integration',
          root,
          include: ['api/**/*.integration.test.ts'],
          ...(process.env.CITUS_URL && { setupFiles: [`${root}api/test/servers/drop-databases.setup.ts`] }),
          globalSetup: [`${root}api/test/servers/postgres.setup.ts`, `${root}api/test/servers/mongo.setup.ts`],
          // A restore takes 12 s on a free machine. One that is four times as slow is no fault.
          testTimeout: 60_000,
          hookTimeout: 90_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
      {
        ...shared,
        test: {
          // Whole starts of LotWatch, one at a time: they measure. Most files are long, and load the same modules to say so.
          name: 'launcher',
          root,
          include: ['api/**/*.launcher.test.ts'],
          pool: 'forks',
          isolate: false,
          fileParallelism: false,
          testTimeout: 90_000,
          hookTimeout: 90_000,
        },
      },
      {
        ...shared,
        test: {
          ...inBrowser,
          name: 'e2e',
          include: ['web/e2e/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...alone],
          // More than the two cores, for a test often waits for its page or for a job.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        ...shared,
        test: {
          ...inBrowser,
          name: 'e2e-alone',
          include: alone,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
