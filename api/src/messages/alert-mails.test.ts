import { describe, expect, it } from 'vitest';
import {
  type AlertFoot,
  expiredMail,
  type MailCar,
  type MatchMail,
  matchMail,
  reminderMail,
  testMail,
} from './alert-mails.ts';

const foot: AlertFoot = {
  alertName: 'Toyota Camry',
  alertUrl: 'https://lotwatch.example/alert/5',
  renewUrl: 'https://lotwatch.example/m/renew',
  pauseUrl: 'https://lotwatch.example/m/pause',
  unsubscribeUrl: 'https://lotwatch.example/m/unsubscribe',
  expiresOn: 'Jan 2, 2027',
  ended: false,
};
const buildCar = (overrides: Partial<MailCar> = {}): MailCar => ({
  title: '2018 Toyota Camry SE',
  price: 15_400,
  priceBefore: null,
  photo: 'https://photos.example/1.jpg',
  href: 'https://marketplace.example/1',
  mileage: 61_000,
  transmission: 'automatic',
  color: 'silver',
  place: 'Pasadena, CA',
  distanceMiles: 8.83,
  notStated: [],
  ...overrides,
});
const buildMail = (...cars: MailCar[]): MatchMail => ({
  alertName: 'Toyota Camry',
  alertPlace: 'Los Angeles, CA',
  reason: 'Toyota Camry, 2015–2020, within 50 mi',
  kind: 'match',
  cars: cars.slice(0, 20),
  count: cars.length,
  foot,
});
const linksOf = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, address]) => address);

describe('a match mail of one car', () => {
  const { subject, text, html } = matchMail(buildMail(buildCar()));

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
      ]) {
        expect(part).toContain(words);
      }
    }
  });
  it('cuts a long title in its subject between characters', () => {
    const subjectOf = (title: string) => matchMail(buildMail(buildCar({ title }))).subject;
    expect(subjectOf(`${'x'.repeat(119)}🚗`)).toBe(`Toyota Camry: ${'x'.repeat(119)} , $15,400`);
    expect(subjectOf('2018 Toyota \ud83d Camry')).toBe('Toyota Camry: 2018 Toyota Camry, $15,400');
  });
  it('breaks a title without spaces, so that the mail fits a phone', () => {
    const long = 'A'.repeat(200);
    const [, place = ''] =
      /<p class="muted" style="([^"]*)">A{200}/.exec(matchMail(buildMail(buildCar({ place: long }))).html) ?? [];
    expect(place).toContain('overflow-wrap:anywhere');
    const style = matchMail(buildMail(buildCar({ title: long }))).html.match(/<h2[^>]*style="([^"]*)"/)?.[1];
    expect(style).toContain('overflow-wrap:anywhere');
    expect(style).toContain('word-break:break-word');
  });
  it('shows the distance like the page', () => {
    const placeOf = (distanceMiles: number) => matchMail(buildMail(buildCar({ distanceMiles, place: null }))).text;
    expect(placeOf(0)).toContain('\n0 mi away\n');
    expect(placeOf(19.6)).toContain('\n20 mi away\n');
  });
  it('has one button for each car and the three links of the footer', () => {
    expect(html.match(/View on Marketplace/g)).toHaveLength(1);
    expect(linksOf(html)).toEqual([
      'https://marketplace.example/1',
      'https://marketplace.example/1',
      foot.alertUrl,
      foot.renewUrl,
      foot.pauseUrl,
      foot.unsubscribeUrl,
    ]);
  });
  it('has each link of the text on a line of its own', () => {
    const lines = text.split('\n').filter((line) => line.includes('http'));
    expect(lines).toEqual([
      'View on Marketplace: https://marketplace.example/1',
      `All matches: ${foot.alertUrl}`,
      `Renew for 42 days: ${foot.renewUrl}`,
      `Pause this alert: ${foot.pauseUrl}`,
      `Unsubscribe: ${foot.unsubscribeUrl}`,
    ]);
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
    expect(matchMail(buildMail(buildCar(), buildCar(), buildCar())).subject).toBe('3 new matches: Toyota Camry');
    const drop = buildCar({ priceBefore: 17_000 });
    expect(matchMail(buildMail(drop, drop)).subject).toBe('2 price drops: Toyota Camry');
    expect(matchMail(buildMail(drop, buildCar())).subject).toBe('2 new matches: Toyota Camry');
  });
  it('links to the cars that it does not show', () => {
    const { html, text } = matchMail(buildMail(...Array.from({ length: 21 }, () => buildCar())));
    expect(html.match(/View on Marketplace/g)).toHaveLength(20);
    expect(html).toContain('1 more car on your alert&#39;s page');
    expect(text).toContain(`1 more car on your alert's page: ${foot.alertUrl}`);
  });
});

it('a summary says that its cars waited', () => {
  const { text, html } = matchMail({ ...buildMail(buildCar()), kind: 'summary' });
  for (const body of [text, html]) expect(body).toContain('They waited, as you asked');
});

describe('a missing fact', () => {
  it('is left out, except the price', () => {
    const bare = buildCar({ price: null, photo: null, mileage: null, transmission: null, color: null, place: null });
    const { subject, text, html } = matchMail(buildMail(bare));
    expect(subject).toBe('Toyota Camry: 2018 Toyota Camry SE');
    expect(text).toContain('Price not stated');
    expect(text).toContain('\n8.8 mi away\n');
    expect(html).not.toContain('<img');
    expect(text + html).not.toMatch(/null|undefined|NaN/);
  });
  it('is mentioned when the alert asks for it', () => {
    expect(matchMail(buildMail(buildCar({ notStated: ['color'] }))).text).toContain('within 50 mi (not stated: color)');
  });
  it('is singular for 1', () => {
    expect(matchMail(buildMail(buildCar({ mileage: 1 }))).text).toContain('1 mile ·');
  });
});

describe('a hostile seller', () => {
  const title = 'Camry"><script>alert(1)</script>\r\nBcc: all@example.com\u2028\u202e&amp;';
  const car = buildCar({
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
    expect(linksOf(html)[0]).toBe(foot.alertUrl);
  });
  it("can't break out of an attribute", () => {
    const { html: other } = matchMail(buildMail(buildCar({ photo: 'https://x.example/"onerror="alert(1)' })));
    expect(other).not.toContain('"onerror');
  });
});

describe('the footer', () => {
  it('shows until when the alert runs, or when it ended', () => {
    const mail = buildMail(buildCar());
    expect(matchMail(mail).text).toContain('It watches until Jan 2, 2027.');
    const ended = matchMail({ ...mail, foot: { ...foot, ended: true } });
    for (const part of [ended.text, ended.html]) expect(part).toContain('It ended on Jan 2, 2027.');
  });
});

describe('mails about an alert', () => {
  const mail = { alertName: 'Toyota Camry', alertPlace: 'Los Angeles, CA', reason: 'Toyota Camry, within 50 mi', foot };
  it.each([
    [testMail(mail), 'Test: Toyota Camry alert', foot.alertUrl],
    [reminderMail(mail), 'Your Toyota Camry alert ends on Jan 2, 2027', foot.renewUrl],
    [expiredMail(mail), 'Your Toyota Camry alert has ended', foot.renewUrl],
  ])('describe what to do: %#', ({ subject, text, html }, expected, address) => {
    expect(subject).toBe(expected);
    expect(linksOf(html)[0]).toBe(address);
    for (const part of [text, html]) {
      expect(part).toContain('Los Angeles, CA');
      expect(part).toContain(foot.unsubscribeUrl);
    }
  });
});
