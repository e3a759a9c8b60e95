import { expect, it } from 'vitest';
import { requireRights } from './add-server.ts';

const cluster = { database: 'cars', role: 'lotwatch', owner: 'lotwatch', isSuperuser: false, isKnown: false };
const require = (given: Partial<typeof cluster>) => () => requireRights({ ...cluster, ...given }, '10.0.0.8', 5432);

it('a server is added by the owner of the tables, where a superuser is that or has added it', () => {
  require({ isSuperuser: true })();
  require({ isKnown: true })();
  expect(require({ role: 'postgres', isSuperuser: true })).toThrow('The tables belong to lotwatch');
});

it('says what a superuser has to do', () => {
  expect(require({})).toThrow('create database cars owner lotwatch');
  expect(require({})).toThrow("select citus_add_node('10.0.0.8', 5432)");
});
