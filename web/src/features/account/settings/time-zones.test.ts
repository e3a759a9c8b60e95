import { expect, it } from 'vitest';
import { browserZone, zoneLabel, zoneOptions } from './time-zones.ts';

it('offers every zone once, in order, with the current one and the browser’s', () => {
  const values = zoneOptions('Etc/Somewhere').map(({ value }) => value);
  expect(values).toContain('America/New_York');
  expect(values).toContain('Etc/Somewhere');
  expect(values).toContain(browserZone());
  expect(new Set(values).size).toBe(values.length);
  expect(values.indexOf('America/New_York')).toBeLessThan(values.indexOf('Europe/Rome'));
});

it('writes a zone without underscores', () => {
  expect(zoneLabel('America/Port_of_Spain')).toBe('America/Port of Spain');
});
