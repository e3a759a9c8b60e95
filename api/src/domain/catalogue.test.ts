import { expect, test } from 'vitest';
import { colors, distances, isMake, isModelOf, makeLabel, makes, modelLabel, modelsOf, years } from './catalogue.ts';

test('the catalogue has the 42 makes from Acura to Volvo', () => {
  expect(makes).toHaveLength(42);
  expect([makes[0]?.label, makes.at(-1)?.label]).toEqual(['Acura', 'Volvo']);
  expect(makes.every(({ value }) => /^[a-z0-9-]+$/.test(value) && modelsOf(value).length > 0)).toBe(true);
});

test('models belong to their make', () => {
  expect(modelsOf('tesla').map(({ value }) => value)).toEqual(
    expect.arrayContaining(['model-3', 'model-s', 'model-x']),
  );
  expect(isModelOf('toyota', 'camry')).toBe(true);
  expect(isModelOf('honda', 'camry')).toBe(false);
  expect(modelsOf('yugo')).toEqual([]);
  expect([isMake('kia'), isMake('constructor'), isModelOf('__proto__', 'x')]).toEqual([true, false, false]);
});

test('the label of an unknown make or model is its slug', () => {
  expect([makeLabel('mercedes-benz'), makeLabel('yugo')]).toEqual(['Mercedes-Benz', 'yugo']);
  expect([modelLabel('ford', 'f-150'), modelLabel('ford', 'gone')]).toEqual(['F-150', 'gone']);
});

test('years are the current one and the 30 before it', () => {
  const list = years(new Date('2026-12-31T23:59:59Z'));
  expect(list).toHaveLength(31);
  expect([list[0], list.at(-1)]).toEqual([
    { value: '2026', label: '2026' },
    { value: '1996', label: '1996' },
  ]);
});

test('distances and colours are those of the form', () => {
  expect(distances.map(({ value }) => value)).toEqual(['5', '10', '25', '50', '100', 'any']);
  expect(distances[0]?.label).toBe('5 miles');
  expect(colors).toHaveLength(15);
  expect(colors[1]).toEqual({ value: 'black', label: 'Black' });
});
