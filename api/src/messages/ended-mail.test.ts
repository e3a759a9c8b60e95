import { describe, expect, it } from 'vitest';
import { sampleAlert, sampleFoot } from '../../test/mail/sample-mails.ts';
import type { EndedCar } from './ended-cars.ts';
import { endedMail } from './ended-mail.ts';
import { endedCarsText, segments } from './texts.ts';

const accord: EndedCar = { name: '2018 Honda Accord', price: 15_400, isSold: true, isSaved: true };
const gone: EndedCar = { ...accord, name: 'Honda', price: null, isSold: false, isSaved: false };

describe('the mail about cars that are no longer for sale', () => {
  it.each([
    ['The 2018 Honda Accord you saved was sold', [accord]],
    ['The 2018 Honda Accord you viewed was sold', [{ ...accord, isSaved: false }]],
    ['The Honda you viewed is no longer listed', [gone]],
    ['2 cars you saved were sold', [accord, accord]],
    ['2 cars you saved or viewed are no longer listed', [accord, gone]],
  ])('says "%s"', (subject, cars) => {
    const mail = endedMail(sampleAlert, cars, cars.length);
    expect(mail.subject).toBe(subject);
    expect(mail.text.startsWith(subject)).toBe(true);
    expect(mail.html).toContain(subject);
  });

  it('says what was asked last, and leads to the alert', () => {
    const { text, html } = endedMail(sampleAlert, [accord], 1);
    for (const part of [text, html]) {
      expect(part).toContain('Last listed at $15,400');
      expect(part).toContain('Your Toyota Camry alert near Los Angeles, CA goes on looking.');
      expect(part).toContain(sampleFoot.alertUrl);
      expect(part).toContain(sampleFoot.unsubscribeUrl);
    }
    expect(text.split('\n')).toContain(`See similar cars: ${sampleFoot.alertUrl}`);
  });

  it('names some of many, and counts all', () => {
    const { subject, text, html } = endedMail(sampleAlert, Array(20).fill(accord), 1_020);
    expect(subject).toBe('1,020 cars you saved were sold');
    expect(text).toContain('and 1,000 other cars');
    expect(html.match(/Last listed/g)).toHaveLength(20);
  });
});

describe('the text about cars that are no longer for sale', () => {
  it('names one and counts the others, in one segment', () => {
    const url = 'https://a-rather-long-name.lotwatch.example/alert/1234567';
    const name = '2018 Mercedes-Benz Sprinter 4500 Crew Cab High Roof Extended Wheelbase';
    const text = endedCarsText([{ ...gone, name }, accord], 12, url);
    expect(text).toContain('The 2018 Mercedes-Benz Sprinter');
    expect(text.endsWith(` +11 more Similar cars: ${url}`)).toBe(true);
    expect(segments(text)).toBe(1);
    expect(endedCarsText([accord], 1, url)).toBe(`The 2018 Honda Accord you saved was sold. Similar cars: ${url}`);
  });
});
