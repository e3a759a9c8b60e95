import { describe, expect, it } from 'vitest';
import { readMailHtml } from '../../test/mail/read-html.ts';
import { sampleCar, sampleFlood, sampleFoot, sampleMatchMail, sampleVerdicts } from '../../test/mail/sample-mails.ts';
import { Criterion } from '../domain/criteria/criteria.ts';
import { factWords } from './fact-words.ts';
import type { MailCar } from './match-mails.ts';
import { matchMail } from './match-mails.ts';

const buildMail = (...cars: MailCar[]) => sampleMatchMail(cars);
const linksOf = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, address]) => address);

describe('a match mail of one car', () => {
  const { subject, text, html } = matchMail(buildMail(sampleCar()));

  it('names the alert and the car in its subject', () => {
    expect(subject).toBe('Toyota Camry: 2018 Toyota Camry SE, $15,400');
  });
  it('has the same content in both parts', () => {
    for (const part of [text, html]) {
      for (const words of [
        '1 car for your Toyota Camry alert near Los Angeles, CA',
        '2018 Toyota Camry SE',
        '$15,400',
        '61,000 miles · Automatic · Silver',
        'Pasadena, CA · 8.8 mi away',
        'matches Toyota Camry, 2015–2020, within 50 mi',
        'Jan 2, 2027',
        '2018 (asked: 2015 to 2020)',
        '$15,400 (asked: up to $50,000)',
        'Silver, as asked',
        '8.8 mi away (asked: within 50 mi)',
        'Fair price · 8 of 10 cars like this one: $13,200 to $18,900 (middle $15,900), judged from 212 of its model',
      ]) {
        expect(part).toContain(words);
      }
    }
  });
  it('says that nobody can tell a fair price, in a mail of few cars', () => {
    const unrated = sampleCar({ band: null, bandRefusal: 'few_cars' });
    const spread = sampleCar({ band: null, bandRefusal: 'wide_spread' });
    const unnamed = sampleCar({ band: null, bandRefusal: 'no_model' });
    const few = matchMail(buildMail(unrated, spread, unnamed));
    for (const part of [few.text, few.html]) {
      expect(part.match(/Not enough cars to tell a fair price\./g)).toHaveLength(1);
      expect(part.match(/to tell a fair price/g)).toHaveLength(2);
    }
    const many = matchMail(buildMail(sampleCar(), ...Array.from({ length: 19 }, () => unrated)));
    for (const part of [many.text, many.html]) {
      expect(part).toContain('8 of 10 cars like this one');
      expect(part).not.toContain('to tell a fair price');
    }
  });
  it('cuts a long title in its subject between characters', () => {
    const subjectOf = (title: string) => matchMail(buildMail(sampleCar({ title }))).subject;
    expect(subjectOf(`${'x'.repeat(119)}🚗`)).toBe(`Toyota Camry: ${'x'.repeat(119)} , $15,400`);
    expect(subjectOf('2018 Toyota \ud83d Camry')).toBe('Toyota Camry: 2018 Toyota Camry, $15,400');
  });
  it('breaks words without spaces, so that the mail fits a phone', () => {
    const long = 'A'.repeat(200);
    const { elements } = readMailHtml(matchMail(buildMail(sampleCar({ title: long, place: long }))).html);
    const cell = elements.find(({ attributes }) => attributes.class === 'panel card');
    const title = elements.find(({ tag }) => tag === 'h2');
    for (const element of [cell, title]) {
      expect(element?.style).toMatchObject({ 'overflow-wrap': 'anywhere', 'word-break': 'break-word' });
    }
  });
  it('cuts a title that is longer than any name of a car', () => {
    const { html, text } = matchMail(buildMail(sampleCar({ title: `${'x'.repeat(159)}🚗${'y'.repeat(300)}` })));
    expect(text).toContain(`\n${'x'.repeat(159)}…\n`);
    expect(html).toContain(`${'x'.repeat(159)}…</h2>`);
  });
  it('shows the distance like the page', () => {
    const placeOf = (distanceMiles: number) => matchMail(buildMail(sampleCar({ distanceMiles, place: null }))).text;
    expect(placeOf(0)).toContain('\n0 mi away\n');
    expect(placeOf(19.6)).toContain('\n20 mi away\n');
  });
  it('has one button for each car and a way to dismiss it, and the links of the footer', () => {
    expect(html.match(/View on Marketplace/g)).toHaveLength(1);
    expect(linksOf(html)).toEqual([
      'https://marketplace.example/1',
      'https://marketplace.example/1',
      sampleCar().dismissUrl,
      sampleFoot.alertUrl,
      sampleFoot.renewUrl,
      sampleFoot.fewerUrl,
      sampleFoot.pauseUrl,
      sampleFoot.unsubscribeUrl,
    ]);
  });
  it('has each link of the text on a line of its own', () => {
    const lines = text.split('\n').filter((line) => line.includes('http'));
    expect(lines).toEqual([
      'View on Marketplace: https://marketplace.example/1',
      `Not this car: ${sampleCar().dismissUrl}`,
      `All matches: ${sampleFoot.alertUrl}`,
      `Renew for 42 days: ${sampleFoot.renewUrl}`,
      `Fewer mails: ${sampleFoot.fewerUrl}`,
      `Pause this alert: ${sampleFoot.pauseUrl}`,
      `Unsubscribe: ${sampleFoot.unsubscribeUrl}`,
    ]);
  });
  it('has the photo as JPEG in twice the width in which it is shown', () => {
    const photo = 'https://lotwatch.example/photos/12-abcdefghijklmnop/0?v=12345678';
    const sourceOf = (...cars: MailCar[]) => /<img src="([^"]+)"/.exec(matchMail(buildMail(...cars)).html)?.[1];
    const car = sampleCar({ photo });
    expect(sourceOf(car)).toBe(`${photo}&amp;w=960&amp;format=jpeg`);
    expect(sourceOf(...Array.from({ length: 6 }, () => car))).toBe(`${photo}&amp;w=320&amp;format=jpeg`);
  });
  it('has the photo above the price', () => {
    expect(html.indexOf('photos.example')).toBeGreaterThan(0);
    expect(html.indexOf('photos.example')).toBeLessThan(html.lastIndexOf('$15,400'));
  });
  it('has both colour schemes and no script', () => {
    expect(html).toContain('prefers-color-scheme:dark');
    expect(html).not.toContain('<script');
  });
});

describe('a match mail of several cars', () => {
  it('counts them in its subject', () => {
    expect(matchMail(buildMail(sampleCar(), sampleCar(), sampleCar())).subject).toBe('3 new matches: Toyota Camry');
    const drop = sampleCar({ priceBefore: 17_000 });
    expect(matchMail(buildMail(drop, drop)).subject).toBe('2 price drops: Toyota Camry');
    expect(matchMail(buildMail(drop, sampleCar())).subject).toBe('1 new match, 1 price drop: Toyota Camry');
    const subjectOf = (count: number) => matchMail({ ...buildMail(drop), count, drops: 8 }).subject;
    expect(subjectOf(30)).toBe('22 new matches, 8 price drops: Toyota Camry');
    expect(subjectOf(5_008)).toBe('1,000+ new matches, 8 price drops: Toyota Camry');
  });
  it('links to the cars that it does not show', () => {
    const { html, text } = matchMail(buildMail(...Array.from({ length: 21 }, () => sampleCar())));
    expect(html.match(/View on Marketplace/g)).toHaveLength(20);
    expect(html).toContain('1 more car on your alert&#39;s page');
    expect(text).toContain(`1 more car on your alert's page: ${sampleFoot.alertUrl}`);
  });
});

describe('a car that no longer fits', () => {
  const saved = sampleCar({ priceBefore: 17_000, followed: 'saved' });

  it('is not said to match', () => {
    const { text, html } = matchMail(buildMail(saved));
    for (const part of [text, html]) {
      expect(part).toContain('You saved this car. It does not fit the alert any more.');
      expect(part).toContain('It got cheaper since you saw it.');
      expect(part).not.toMatch(/matches Toyota|Why it fits/);
    }
  });
  it('is told apart from those that match', () => {
    const { text } = matchMail(buildMail(saved, sampleCar()));
    expect(text).toContain('Each matches Toyota Camry, 2015–2020, within 50 mi, or got cheaper since you saw it.');
    expect(text).toContain('Why it fits');
  });
});

it('cars that are no longer for sale come last, and are no matches', () => {
  const ended = { shown: [{ name: '2018 Honda Accord', price: 9_000, isSold: true, isSaved: true }], count: 3 };
  const { subject, text, html } = matchMail({ ...buildMail(sampleCar()), ended });
  expect(subject).toBe('Toyota Camry: 2018 Toyota Camry SE, $15,400');
  expect(text).toMatch(
    /Toyota Camry SE[\s\S]*The 2018 Honda Accord you saved was sold\. Last listed at \$9,000\.\nand 2 other cars/,
  );
  expect(html).toMatch(/Toyota Camry SE[\s\S]*No longer for sale[\s\S]*The 2018 Honda Accord you saved was sold\./);
});

describe('the preview', () => {
  const previewOf = (...cars: MailCar[]) =>
    /<body[^>]*>\s*<div style="display:none[^"]*">([^<&]*)/.exec(matchMail(buildMail(...cars)).html)?.[1];

  it('says of a single car what its subject does not', () => {
    expect(previewOf(sampleCar())).toBe('$15,400 · Pasadena, CA · 8.8 mi away · 61,000 miles · Automatic · Silver');
  });
  it('names the first cars of several', () => {
    const cars = [
      sampleCar(),
      sampleCar({ title: '2016 Camry', price: null }),
      sampleCar({ price: 9_000 }),
      sampleCar(),
    ];
    expect(previewOf(...cars)).toBe(
      '2018 Toyota Camry SE $15,400 · 2016 Camry Price not stated · 2018 Toyota Camry SE $9,000 · and 1 more',
    );
  });
});

it('a mail after many others says so, and offers to change that', () => {
  const mail = buildMail(sampleCar());
  expect(matchMail(mail).text).not.toContain('24 hours');
  const { text, html } = matchMail({ ...mail, flood: sampleFlood });
  for (const part of [text, html]) {
    expect(part).toContain('This alert mailed you 57 times in the last 24 hours.');
    expect(part).toContain(sampleFlood.dailyUrl);
    expect(part).toContain(sampleFlood.narrowUrl);
  }
  expect(html.indexOf('57 times')).toBeLessThan(html.indexOf('<h2'));
});

it('a mail of many cars shows them smaller', () => {
  const widths = (count: number) => {
    const { html } = matchMail(buildMail(...Array.from({ length: count }, () => sampleCar())));
    return new Set(
      readMailHtml(html).elements.flatMap(({ tag, attributes }) => (tag === 'img' ? [attributes.width] : [])),
    );
  };
  expect(widths(4)).toEqual(new Set(['518']));
  expect(widths(5)).toEqual(new Set(['112']));
});

it('a summary says that its cars waited', () => {
  const { text, html } = matchMail({ ...buildMail(sampleCar()), kind: 'summary' });
  for (const body of [text, html]) expect(body).toContain('They waited, as you asked');
});

it.each([
  ['unconfirmed', 'They waited until you confirmed your address, and come together now.'],
  ['suppressed', 'They waited until mails to your address were resumed, and come together now.'],
])('a summary that was %s does not say that its reader asked for that', (heldBy, words) => {
  const { text, html } = matchMail({ ...buildMail(sampleCar()), kind: 'summary', heldBy });
  for (const body of [text, html]) expect(body).toContain(words);
});

describe('a missing fact', () => {
  it('is left out, except the price', () => {
    const bare = sampleCar({ price: null, photo: null, mileage: null, transmission: null, color: null, place: null });
    const { subject, text, html } = matchMail(buildMail(bare));
    expect(subject).toBe('Toyota Camry: 2018 Toyota Camry SE');
    expect(text).toContain('Price not stated');
    expect(text).toContain('\n8.8 mi away\n');
    expect(html).not.toContain('<img');
    expect(text + html).not.toMatch(/null|undefined|NaN/);
  });
  it('is mentioned when the alert asks for it', () => {
    const verdicts = sampleVerdicts({ [Criterion.color]: null });
    const { text, html } = matchMail(buildMail(sampleCar({ verdicts })));
    expect(text).toContain('\n  - Color not stated (asked: Silver)\n');
    expect(html).toContain('–\u00a0Color not stated (asked: Silver)');
  });
  it('is singular for 1', () => {
    expect(matchMail(buildMail(sampleCar({ mileage: 1 }))).text).toContain('1 mile ·');
  });
});

describe('a hostile seller', () => {
  const title = 'Camry"><script>alert(1)</script>\r\nBcc: all@example.com\u2028\u202e&amp;';
  const car = sampleCar({
    title,
    photo: 'javascript:alert(1)',
    href: 'javascript:alert(2)',
    place: '<b>X</b>',
    color: '<i>',
  });
  const { subject, text, html } = matchMail(buildMail(car));

  it('can’t insert markup', () => {
    expect(html).not.toContain('<script');
    expect(html).not.toContain('<b>X');
    expect(html).not.toContain('<i>');
    expect(html).toContain('&lt;script&gt;');
    expect(html).toContain('&amp;amp;');
  });
  it('can’t start a line', () => {
    expect(subject).toBe('Toyota Camry: Camry"><script>alert(1)</script> Bcc: all@example.com &amp;, $15,400');
    expect(text).not.toMatch(/^Bcc/m);
  });
  it('can only insert web addresses', () => {
    expect(html + text).not.toContain('javascript:');
    expect(linksOf(html)[0]).toBe(sampleFoot.alertUrl);
  });
  it("can't break out of an attribute", () => {
    const { html: other } = matchMail(buildMail(sampleCar({ photo: 'https://x.example/"onerror="alert(1)' })));
    expect(other).not.toContain('"onerror');
  });
});

describe('the footer', () => {
  it('shows until when the alert runs, or when it ended', () => {
    const mail = buildMail(sampleCar());
    expect(matchMail(mail).text).toContain('It watches until Jan 2, 2027.');
    const ended = matchMail({ ...mail, foot: { ...sampleFoot, ended: true } });
    for (const part of [ended.text, ended.html]) expect(part).toContain('It ended on Jan 2, 2027.');
  });
});

it.each([
  [{ title: '2018 Honda Accord', trim: 'EX-L', titleStatus: 'salvage' }, 'Salvage title · 9 miles · Blue · EX-L'],
  [{ title: '2018 Honda Accord EX-L', trim: 'EX-L', titleStatus: 'clean' }, '9 miles · Blue'],
  [
    {
      title: '2018 Honda Accord',
      trim: 'EX-L',
      fuel: 'hybrid',
      drive: 'awd',
      body: 'sedan',
      titleStatus: 'parts_only',
    },
    'For parts only · 9 miles · Blue · EX-L · Hybrid · AWD · Sedan',
  ],
  [{ title: '2018 Honda Accord Sedan', fuel: 'gas', drive: 'other', body: 'sedan' }, '9 miles · Blue'],
])('a mail says of %j: %s', (car, words) => {
  expect(factWords({ mileage: 9, transmission: null, color: 'blue', ...car })).toBe(words);
});
