import { describe, expect, it } from 'vitest';
import type { EndedCar } from './ended-cars.ts';
import type { MailCar } from './match-mails.ts';
import { pressedPage } from './push-card.ts';

const publicUrl = 'https://lotwatch.example';
const alertUrl = `${publicUrl}/alert/12`;
const car = (followed: MailCar['followed']) => ({ title: 'A car', followed }) as MailCar;
const ended = (isSaved: boolean): EndedCar => ({ name: '2018 Honda Accord', price: null, isSold: true, isSaved });
const endedCars = (...shown: EndedCar[]) => ({ shown, count: shown.length });

describe('a press opens', () => {
  it.each([
    ['of one car that fits the alert at its card', [car(null)], endedCars(), [7], `${alertUrl}?car=7`],
    ['of several the alert', [car(null), car(null)], endedCars(), [7, 8], alertUrl],
    ['of one beside a sold one the alert', [car(null)], endedCars(ended(true)), [7, 8], alertUrl],
    ['of a saved car that no longer fits the saved cars', [car('saved')], endedCars(), [7], `${publicUrl}/saved`],
    ['of a viewed car that no longer fits the alert', [car('viewed')], endedCars(), [7], alertUrl],
    ['of a saved car that is sold the saved cars', [], endedCars(ended(true)), [7], `${publicUrl}/saved`],
    ['of a viewed car that is sold the alert', [], endedCars(ended(false)), [7], alertUrl],
    ['of two saved cars that are sold the alert', [], endedCars(ended(true), ended(true)), [7, 8], alertUrl],
  ])('%s', (_what, cars, gone, listingIds, page) => {
    expect(pressedPage({ publicUrl, alertUrl, cars, ended: gone, listingIds })).toBe(page);
  });
});
