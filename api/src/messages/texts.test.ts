import { describe, expect, it } from 'vitest';
import { codeText, cutTo, helpText, matchText, segments, septets, toGsm } from './texts.ts';

describe('segments', () => {
  it.each([
    ['', 1],
    ['a'.repeat(160), 1],
    ['a'.repeat(161), 2],
    ['a'.repeat(306), 2],
    ['a'.repeat(307), 3],
    ['€'.repeat(80), 1],
    [`${'€'.repeat(80)}a`, 2],
    // The 153 septets of a part hold 76 of these, and one is unused.
    ['€'.repeat(152), 2],
    ['€'.repeat(153), 3],
    ['{}[]~^|\\'.repeat(10), 1],
    ['ñ'.repeat(160), 1],
  ])('%s', (text, count) => expect(segments(text)).toBe(count));
});

describe('GSM-7', () => {
  it.each([
    ['Citroën “C4” – très bon', 'Citroen "C4" - très bon'],
    ['Łódź, São Paulo', 'Lodz, Sao Paulo'],
    ['25 000 km · 5°', '25 000 km - 5 deg'],
    ['🚗 Camry ✨', ' Camry '],
    ['½ price, №1', '12 price, No1'],
    ['tab\there', 'tab here'],
    ['Ünïcödé', 'Ünicödé'],
    ['中文', ''],
  ])('%s becomes %s', (text, plain) => expect(toGsm(text)).toBe(plain));

  it('leaves only characters of the alphabet', () => {
    const every = Array.from({ length: 0x2fff }, (_, code) => String.fromCodePoint(code)).join('');
    const plain = toGsm(every);
    expect(toGsm(plain)).toBe(plain);
    expect(segments(plain)).toBeGreaterThan(1);
  });

  it('cuts by septets', () => {
    expect(cutTo('Toyota Camry', 12)).toBe('Toyota Camry');
    expect(cutTo('Toyota Camry', 11)).toBe('Toyota Ca..');
    expect(septets(cutTo('€'.repeat(30), 11))).toBeLessThanOrEqual(11);
  });
});

const car = { title: '2018 Toyota Camry SE', price: 14_500, priceBefore: null, place: 'Round Rock, TX' };
const asked = { alertName: 'Toyota Camry', alertPlace: 'Austin, TX', alertUrl: 'https://lotwatch.example/alert/12' };

describe('a text of matches', () => {
  it('names the alert, the car, its price, its place and the link, in one segment', () => {
    const text = matchText({ ...asked, cars: [car] });
    expect(text).toBe(
      'Toyota Camry near Austin, TX: 2018 Toyota Camry SE, $14,500, Round Rock, TX https://lotwatch.example/alert/12',
    );
    expect(segments(text)).toBe(1);
  });

  it('does not count more cars than an alert keeps', () => {
    const text = matchText({ ...asked, cars: Array.from({ length: 1_500 }, () => car) });
    expect(text).toContain('Round Rock, TX and 1,000+ more https://');
    expect(segments(text)).toBe(1);
  });

  it('shows the number of other cars, and a former price', () => {
    const text = matchText({ ...asked, cars: [{ ...car, priceBefore: 16_000 }, car, car] });
    expect(text).toContain('$14,500, was $16,000, Round Rock, TX +2 more https://');
    expect(segments(text)).toBe(1);
  });

  it('mentions missing facts', () => {
    expect(matchText({ ...asked, cars: [{ ...car, price: null, place: null }] })).toContain(
      'no price stated, place not stated',
    );
  });

  it.each([
    ['a long title', { title: `2018 Toyota Camry SE ${'very clean, one owner, '.repeat(20)}` }, {}],
    ['emoji and accents', { title: '🔥🔥 2018 Toyota Camry – “як новий” très propre 🔥🔥 '.repeat(4) }, {}],
    ['a place as long as sources may write it', { title: 'x '.repeat(100), place: 'W'.repeat(100) }, {}],
    [
      'long names',
      { title: 'x '.repeat(100), place: 'Rancho Santa Margarita, CA' },
      { alertName: 'Mercedes-Benz Metris Cargo', alertPlace: 'Rancho Santa Margarita, CA' },
    ],
  ])('fits one segment with %s', (_what, more, alert) => {
    const text = matchText({ ...asked, ...alert, cars: [{ ...car, ...more }, car] });
    expect(segments(text)).toBe(1);
    expect(toGsm(text)).toBe(text);
    expect(text).toContain(asked.alertUrl);
    expect(text).toContain('$14,500');
    expect(text).toContain('+1 more');
  });

  it('never cuts the required parts, even if they need a second segment', () => {
    const alertUrl = `https://${'long-name.'.repeat(12)}example/alert/12`;
    const text = matchText({ ...asked, alertUrl, cars: [car] });
    expect(segments(text)).toBe(2);
    for (const part of ['Toyota Camry', '$14,500', 'Round Rock, TX', alertUrl]) expect(text).toContain(part);
  });

  it('removes links of sellers', () => {
    const title = '2018 Camry https://evil.example/pay www.evil.example evil.com EVIL.co/x?y a.evil.ly now';
    expect(matchText({ ...asked, cars: [{ ...car, title, place: 'pay.evil.com, TX' }] })).not.toMatch(/evil/i);
    expect(matchText({ ...asked, cars: [{ ...car, place: 'evil.com' }] })).toContain('place not stated');
  });

  it.each(['2.0T Sport', 'St. Louis Camry', 'one owner.Runs great', '5.7L hemi, 98.5k mi.', 'Camry L.E.'])(
    'leaves %s as it is',
    (title) => expect(matchText({ ...asked, cars: [{ ...car, title }] })).toContain(title),
  );
});

it('the other texts fit one segment', () => {
  expect(segments(codeText('123456'))).toBe(1);
  const help = helpText({ publicUrl: 'https://lotwatch.example', supportEmail: 'help@lotwatch.example' });
  expect(toGsm(help)).toBe(help);
  expect(segments(help)).toBeLessThanOrEqual(2);
});
