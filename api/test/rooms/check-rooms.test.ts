import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { folderOfTest } from '../set-up.ts';
import { checkRooms } from './check-rooms.mjs';

const rooms = createRequire(import.meta.url)('../../rooms.cjs');
const webRooms = createRequire(import.meta.url)('../../../web/rooms.cjs');
const project = new URL('../../..', import.meta.url).pathname;

/** A project with the real floors, and files in a few rooms. */
const house: Record<string, string> = {
  'api/src/base/log.ts': 'export interface Log { info(text: string): void }\n',
  'api/src/domain/price.ts': "import type { Log } from '../base/log.ts';\nexport type Price = { log: Log };\n",
  'api/src/intake/store.ts': "import type { Price } from '../domain/price.ts';\nexport type Stored = Price[];\n",
  'api/src/matching/match.ts': 'export interface Match { id: number }\n',
  'api/src/jobs/poll.ts': "import type { Stored } from '../intake/store.ts';\nexport type Polled = Stored;\n",
  'api/src/vendors/mail.ts': "import sendgrid from '@sendgrid/mail';\nexport const mail = sendgrid;\n",
  'api/demo/main.ts': "import type { Price } from '../src/domain/price.ts';\nexport type DemoPrice = Price;\n",
  'api/test/factory.ts': "import type { Match } from '../src/matching/match.ts';\nexport type MadeMatch = Match;\n",
};

let folder: string;
const write = (files: Record<string, string>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
};
beforeEach(() => {
  folder = folderOfTest();
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  write(house);
});

describe('the floors', () => {
  it('accept rooms that import from lower floors', async () => {
    expect(await checkRooms(folder, rooms)).toEqual({ modules: Object.keys(house).length, faults: [] });
  });

  it.each([
    [
      'a type from a floor above',
      'api/src/base/forbidden.ts',
      "import type { Price } from '../domain/price.ts';",
      'base-imports-lower-floors',
    ],
    [
      'a type from the same floor',
      'api/src/intake/forbidden.ts',
      "import type { Match } from '../matching/match.ts';",
      'intake-imports-lower-floors',
    ],
    [
      'an inline type',
      'api/src/domain/forbidden.ts',
      "import { type Stored } from '../intake/store.ts';",
      'domain-imports-lower-floors',
    ],
    [
      'a re-exported type',
      'api/src/notify/forbidden.ts',
      "export type { Match } from '../matching/match.ts';",
      'notify-imports-lower-floors',
    ],
    [
      'a type named in an import()',
      'api/src/live/forbidden.ts',
      "export type M = import('../matching/match.ts').Match;",
      'live-imports-lower-floors',
    ],
    [
      'a lazy import',
      'api/src/live/forbidden.ts',
      "export const later = () => import('../matching/match.ts');",
      'live-imports-lower-floors',
    ],
    [
      'what tests are made of',
      'api/src/jobs/forbidden.ts',
      "import type { MadeMatch } from '../../test/factory.ts';",
      'api/test-importers',
    ],
    [
      'a stage seen from the demo',
      'api/demo/forbidden.ts',
      "import type { Match } from '../src/matching/match.ts';",
      'api/demo-imports',
    ],
    [
      'a vendor outside its room',
      'api/src/notify/forbidden.ts',
      "import type { MailService } from '@sendgrid/mail';",
      'stripe-only-in-vendors',
    ],
    [
      'jobs outside their room',
      'api/src/intake/forbidden.ts',
      "import type { Agenda } from 'agenda';",
      'agenda-only-in-jobs',
    ],
    [
      'what is not there',
      'api/src/jobs/forbidden.ts',
      "import type { Gone } from '../intake/gone.ts';",
      'no-unresolved',
    ],
  ])('refuse %s', async (_what, path, line, rule) => {
    write({ [path]: `${line}\n` });
    const { faults } = await checkRooms(folder, rooms);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(`${rule}: ${path}`);
  });

  it('refuse a cycle', async () => {
    write({
      'api/src/domain/a.ts': "import type { B } from './b.ts';\nexport type A = B;\n",
      'api/src/domain/b.ts': "import type { A } from './a.ts';\nexport type B = A | null;\n",
    });
    expect((await checkRooms(folder, rooms)).faults).toContainEqual(expect.stringContaining('no-cycle'));
  });

  it('let the web client import the schemas of forms, and nothing else of the server', async () => {
    write({
      'api/src/domain/forms/login.ts': 'export const usernameMax = 40;\n',
      'web/src/features/account/schema.ts': "export * from '../../../../api/src/domain/forms/login.ts';\n",
    });
    expect((await checkRooms(folder, webRooms)).faults).toEqual([]);
    write({ 'web/src/pages/forbidden.ts': "import type { Log } from '../../../api/src/base/log.ts';\n" });
    expect((await checkRooms(folder, webRooms)).faults).toEqual([
      'own-package: web/src/pages/forbidden.ts → api/src/base/log.ts',
    ]);
  });

  it('refuse a file that is in no room', async () => {
    write({ 'api/src/attic/a.ts': 'export const a = 1;\n' });
    expect((await checkRooms(folder, rooms)).faults).toEqual(['no-room: api/src/attic/a.ts']);
  });

  it('let tests import from every room', async () => {
    write({
      'api/src/base/log.test.ts': "import type { Match } from '../matching/match.ts';\nexport type M = Match;\n",
    });
    expect((await checkRooms(folder, rooms)).faults).toEqual([]);
  });

  it('fail when no module was read', async () => {
    const { faults } = await checkRooms(folder, { root: 'api/elsewhere', floors: [['base']] });
    expect(faults).toContainEqual(expect.stringContaining('nothing to read'));
  });
});
