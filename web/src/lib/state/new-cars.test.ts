import { beforeEach, expect, it } from 'vitest';
import { countNewCar, createdAlerts, forgetCreated, newCarCount, noteCreated, startNewCars } from './new-cars.ts';

const match = (alert: string, id: string, more: { carId?: string; isNew?: boolean; backfilled?: boolean } = {}) => ({
  foundByBackfill: more.backfilled ?? false,
  alert: { id: alert },
  listing: { id, carId: more.carId ?? id, isNew: more.isNew ?? true },
});

beforeEach(() => startNewCars(null));

it('a new car counts once for the viewer and once for each alert, under however many listings', () => {
  startNewCars(120);
  expect(countNewCar(match('1', '10'))).toBe(true);
  expect(countNewCar(match('1', '10'))).toBe(false);
  expect(countNewCar(match('2', '10'))).toBe(true);
  expect(countNewCar(match('1', '11', { carId: '10' }))).toBe(false);
  expect(newCarCount.get()).toBe(121);
  countNewCar(match('1', '12'));
  expect(newCarCount.get()).toBe(122);
});

it('what was viewed, and what a backfill found, is not counted', () => {
  startNewCars(3);
  expect(countNewCar(match('1', '10', { isNew: false }))).toBe(false);
  // Another alert knows the car as news.
  expect(countNewCar(match('1', '11', { backfilled: true }))).toBe(false);
  expect(newCarCount.get()).toBe(3);
});

it('nothing is shown before the server has counted', () => {
  expect(countNewCar(match('1', '10'))).toBe(true);
  expect(newCarCount.get()).toBeNull();
});

it('a created alert knows how many of its matches came after it, until it is edited', () => {
  startNewCars(0);
  noteCreated('1');
  countNewCar(match('1', '10', { backfilled: true }));
  countNewCar(match('1', '11'));
  countNewCar(match('1', '12', { carId: '11' }));
  countNewCar(match('2', '13'));
  expect([...createdAlerts.get()]).toEqual([['1', 2]]);
  forgetCreated('1');
  expect(createdAlerts.get().size).toBe(0);
});
