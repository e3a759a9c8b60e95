import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { folderOfTest } from '../../test/set-up.ts';
import { projectRoot } from './processes/node-child.ts';

/** The packages that our own code imports; what they import in turn follows from them. */
const { dependencies } = JSON.parse(readFileSync(join(projectRoot, 'api/package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
};

/** The packages in the memory of a process that has loaded this file of the bundle. */
function loadedBy(name: string): string[] {
  const folder = folderOfTest();
  const makeBundle = join(projectRoot, 'api/src/launcher/make-bundle.mjs');
  const bundle = execFileSync(process.execPath, [makeBundle]).toString();
  const file = readdirSync(bundle).find((one) => one.startsWith(`${name}-`) && one.endsWith('.mjs')) ?? name;
  const code = `await import(${JSON.stringify(pathToFileURL(join(bundle, file)).href)}); process.exit(0);`;
  const listing = pathToFileURL(join(projectRoot, 'api/test/list-packages.mjs')).href;
  execFileSync(process.execPath, ['--import', listing, '--input-type=module', '-e', code], {
    env: { PATH: process.env.PATH, LIST_PACKAGES_IN: folder, LOTWATCH_PART: name },
  });
  const all = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as string[];
  return all.filter((one) => one in dependencies);
}

it('is little in the launcher', () => expect(loadedBy('start-all')).toEqual([]));

it('is no vendor, no decoder of photos and no migration in the api', () => {
  expect(loadedBy('build-api')).toEqual([
    '@apollo/server',
    '@as-integrations/express5',
    '@mikro-orm/core',
    '@mikro-orm/decorators',
    '@mikro-orm/postgresql',
    '@node-rs/argon2',
    'bowser',
    'compression',
    'connect-pg-simple',
    'cors',
    'csv-parse',
    'csv-stringify',
    'dataloader',
    'entities',
    'express',
    'express-session',
    'graphql',
    'graphql-scalars',
    'graphql-ws',
    'helmet',
    'htmlparser2',
    'ipaddr.js',
    'jsonrepair',
    'kysely',
    'otpauth',
    'p-limit',
    'pg',
    'pino',
    'rate-limiter-flexible',
    'reflect-metadata',
    'robots-parser',
    'saxes',
    'temporal-polyfill',
    'type-graphql',
    'ws',
    'yup',
    'zod',
  ]);
});

it('is neither the ORM nor GraphQL in the worker', () => {
  expect(loadedBy('build-worker')).toEqual([
    '@agendajs/postgres-backend',
    'agenda',
    'csv-parse',
    'dataloader',
    'entities',
    'htmlparser2',
    'ipaddr.js',
    'jsonrepair',
    'p-limit',
    'pg',
    'pino',
    'robots-parser',
    'saxes',
    'temporal-polyfill',
    'yup',
    'zod',
  ]);
});
