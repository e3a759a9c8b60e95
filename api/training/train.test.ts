import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readTitle } from '../src/domain/titles/vehicle-title.ts';
import { ownExamples } from './examples.ts';
import { fitLogistic } from './logistic-regression.ts';
import { judge, train } from './train.ts';
import { read } from './word-weights.ts';

const own = ownExamples();
const shipped = readFileSync(new URL('../data/car-evidence.json', import.meta.url), 'utf8');

test('our own titles are judged as they are labelled, by the shipped table', () => {
  const now = new Date('2026-06-01T00:00:00Z');
  const wrong = own.filter(({ title, isCar }) => readTitle(title, now).isCar !== isCar);
  expect(wrong.length / own.length, wrong.map(({ title }) => title).join('; ')).toBeLessThan(0.02);
});

test('the same titles make the same table, which judges most of them rightly', () => {
  const examples = own.map((example, position) => read({ ...example, source: `file ${position % 3}` }));
  const table = train(examples);
  expect(train(examples.toReversed())).toEqual(table);
  const evidenceFor = judge(table);
  const wrong = examples.filter((example) => (evidenceFor(example) ?? -1) > 0 !== example.isCar);
  expect(wrong.length / examples.length).toBeLessThan(0.06);
});

test('a word of one file only, or of few titles, gets no weight', () => {
  const titles = Array.from({ length: 12 }, (_, position) => `201${position % 10} Honda Civic sparkling ${position}`);
  const examples = (sources: number) =>
    titles.map((title, position) => read({ title, isCar: true, source: `${position % sources}`, weight: 1 }));
  expect(train(examples(2)).words).toHaveProperty('sparkling');
  expect(train(examples(1)).words).not.toHaveProperty('sparkling');
  expect(train(examples(2).slice(0, 9)).words).not.toHaveProperty('sparkling');
});

test('weights follow the observations, and stay at what is known where there are none', () => {
  const seen = (name: string, isTrue: boolean) => ({ features: new Map([[name, 1]]), isTrue, weight: 1 });
  const observations = Array.from({ length: 20 }, (_, position) => [
    seen('good', true),
    seen('even', position % 2 === 0),
  ]);
  const weights = fitLogistic(observations.flat(), { penalty: 0.1, minimum: 5, priors: new Map([['known', -4]]) });
  expect(weights.get('good')).toBeGreaterThan(3);
  expect(weights.get('even')).toBeCloseTo(0, 1);
  expect(weights.get('known')).toBe(-4);
});

test('the shipped table is sorted, and has neither long numbers nor more than a word in a key', () => {
  const { words, before, after } = JSON.parse(shipped) as Record<string, Record<string, number>>;
  for (const keys of [words, before, after].map((weights) => Object.keys(weights ?? {}))) {
    const plain = keys.filter((key) => !/^\d+$/.test(key));
    expect(plain).toEqual(plain.toSorted());
    expect(keys.filter((key) => !/^\$?[a-z0-9]{1,20}$/.test(key) || /\d{5}/.test(key))).toEqual([]);
  }
});
