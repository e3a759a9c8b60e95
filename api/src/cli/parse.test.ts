import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { setUpFolder } from '../../test/set-up.ts';

const root = new URL('../../..', import.meta.url).pathname;
const folder = setUpFolder();

function run(command: 'parse' | 'place', ...lines: string[]) {
  const path = join(folder, `${command}.ndjson`);
  writeFileSync(path, lines.join('\n'));
  const options = { cwd: root, encoding: 'utf8' } as const;
  const done = spawnSync(process.execPath, ['--import', 'tsx', `api/src/cli/${command}.ts`, path], options);
  return {
    status: done.status,
    answers: done.stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line)),
  };
}

const nothing = {
  year: null,
  make: null,
  model: null,
  titleStatus: null,
  mileage: null,
  drive: null,
  fuel: null,
  transmission: null,
  trim: null,
  body: null,
  color: null,
};

test('parse prints one result for each line in order, and continues after an invalid one', () => {
  const { status, answers } = run(
    'parse',
    '\ufeff{"title":"2005 Ford F150","price":1,"description":null,"category":"Cars & trucks"}',
    '',
    '{"title":"Engine for 2010\u2028Ford Escape"}',
    '{"titel":1}',
    'broken',
    '{"title":"Drone"}',
    '{"title":"2012 Subaru Outback wagon AWD diesel manual 98k miles salvage","price":"$4,500","description":7}',
  );
  expect(status).toBe(0);
  expect(answers).toEqual([
    { ...nothing, year: 2005, make: 'ford', model: 'f-150', isCar: true },
    { ...nothing, year: 2010, make: 'ford', model: 'escape', isCar: false },
    { ...nothing, isCar: null, error: expect.any(String) },
    { ...nothing, isCar: null, error: expect.any(String) },
    { ...nothing, isCar: false },
    {
      year: 2012,
      make: 'subaru',
      model: 'outback',
      isCar: true,
      titleStatus: 'salvage',
      mileage: 98_000,
      drive: 'awd',
      fuel: 'diesel',
      transmission: 'manual',
      trim: null,
      body: 'wagon',
      color: null,
    },
  ]);
});

test('parse judges with price, category and mileage where the line has them, and else by the title alone', () => {
  const { answers } = run(
    'parse',
    ...[
      { title: '2015 Toyota Camry', category: 'Auto Parts', price: 60 },
      { title: '2015 Toyota Camry' },
      { title: 'Hyundai Sonata', category: 'Cell Phones', price: 40 },
      { title: 'Honda Civic', price: 40 },
      { title: 'Honda Civic', price: 40, description: 'Runs great, 180,000 miles on it.' },
      { title: "72' drop top impala", category: ['Vehicles', 'Cars & trucks'], price: '$11,800' },
      { title: "72' drop top impala", category: ' ', price: 'ask' },
    ].map((line) => JSON.stringify(line)),
  );
  expect(answers).toMatchObject([
    { year: 2015, make: 'toyota', model: 'camry', isCar: false },
    { isCar: true },
    { year: null, make: 'hyundai', model: 'sonata', isCar: false },
    { make: 'honda', model: 'civic', isCar: false },
    { isCar: true, mileage: 180_000 },
    { make: 'chevrolet', model: 'impala', isCar: true },
    { make: null, model: null, isCar: false },
  ]);
});

test('place prints coordinates or nulls for each line', () => {
  const { answers } = run('place', '{"text":"Austin tx"}', '{"text":"Nowhere, ZZ"}', '{"text":"10001"}');
  const nowhere = { name: null, state: null, zip: null, lat: null, lng: null };
  expect(answers).toEqual([
    { name: 'Austin', state: 'TX', zip: null, lat: 30.26715, lng: -97.74306 },
    nowhere,
    { name: 'New York', state: 'NY', zip: '10001', lat: 40.75065, lng: -73.9973 },
  ]);
});
