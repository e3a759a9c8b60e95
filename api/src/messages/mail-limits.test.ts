import { describe, expect, it } from 'vitest';
import { contrast, inverted, readMailHtml } from '../../test/mail/read-html.ts';
import { sampleCar, sampleMails, sampleMatchMail } from '../../test/mail/sample-mails.ts';
import { matchMail } from './match-mails.ts';

/** Gmail cuts off what follows. */
const GMAIL_BYTES = 102 * 1024;
const HEADING = /^h[1-6]$/;

describe.each(Object.entries(sampleMails))('a mail of the kind %s', (_kind, { html, text, subject }) => {
  const { elements, texts } = readMailHtml(html);
  const named = (tag: string) => elements.filter((element) => element.tag === tag);

  it('is short enough for Gmail, even with the longest content', () => {
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(GMAIL_BYTES);
  });

  it('states its language and its title', () => {
    expect(named('html')[0]?.attributes.lang).toBe('en');
    expect(html).toMatch(/<title>[^<]+<\/title>/);
    expect(named('h1')).toHaveLength(1);
    expect(subject).not.toBe('');
  });

  it('needs neither its style sheet nor what clients remove', () => {
    expect(named('script').length + named('form').length + named('link').length + named('svg').length).toBe(0);
    for (const { style, attributes, tag } of elements) {
      for (const property of ['position', 'float', 'flex', 'grid', 'background', 'background-image', 'transform']) {
        expect(Object.keys(style), `${tag} ${attributes.class}`).not.toContain(property);
      }
      expect(['flex', 'grid', 'inline-flex']).not.toContain(style.display);
      expect(Object.keys(attributes).filter((name) => name.startsWith('on') || name === 'id')).toEqual([]);
    }
    expect(html).not.toContain('var(--');
  });

  it('uses tables for layout alone', () => {
    expect(named('table').length).toBeGreaterThan(1);
    for (const table of named('table')) {
      expect(table.attributes).toMatchObject({ role: 'presentation', cellpadding: '0', cellspacing: '0', border: '0' });
    }
    expect(named('th')).toEqual([]);
  });

  it('gives each photo a size, an alternative text, and type for it', () => {
    for (const { attributes, style } of named('img')) {
      expect(attributes.alt).not.toBe('');
      expect(Number(attributes.width)).toBeGreaterThan(0);
      expect(Number(attributes.height)).toBeGreaterThan(0);
      expect(Object.keys(style)).toEqual(expect.arrayContaining(['font-family', 'font-size', 'line-height', 'color']));
    }
  });

  it('has only whole addresses, and says in its text what it links to', () => {
    for (const { attributes } of [...named('a'), ...named('img')]) {
      expect(attributes.href ?? attributes.src).toMatch(/^https?:\/\/[^/]/);
    }
    for (const { attributes } of named('a')) {
      const address = (attributes.href ?? '').replaceAll('&amp;', '&');
      expect(text).toContain(address);
    }
  });

  it('sets its type on each text', () => {
    for (const { style, tag } of elements.filter(({ tag }) => HEADING.test(tag) || tag === 'p')) {
      expect(Object.keys(style), tag).toContain(
        tag === 'p' && style['font-family'] === undefined ? 'margin' : 'font-size',
      );
    }
  });

  it.each([
    ['in light mode', texts, (color: string) => color],
    ['in dark mode', readMailHtml(html, true).texts, (color: string) => color],
    ['where a client inverts it', texts, inverted],
  ])('can be read %s', (_mode, shown, change) => {
    expect(shown.length).toBeGreaterThan(2);
    for (const { text, color, background } of shown) {
      expect(
        contrast(change(color), change(background)),
        `${text.slice(0, 40)} ${color} on ${background}`,
      ).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('begins with a hidden preview', () => {
    const first = html.slice(html.indexOf('<body')).replace(/^<body[^>]*>\s*/, '');
    expect(first).toMatch(/^<div style="display:none;[^"]*mso-hide:all">[^<]{20,}/);
  });
});

it('links of any length leave a mail below the limit, and what it leaves out is on the page of the alert', () => {
  const long = sampleCar({ href: `https://marketplace.example/${'a'.repeat(1_900)}` });
  const { html, text } = matchMail(sampleMatchMail(Array.from({ length: 20 }, () => long)));
  expect(Buffer.byteLength(html)).toBeLessThanOrEqual(GMAIL_BYTES);
  const shown = html.match(/View on Marketplace/g)?.length ?? 0;
  expect(shown).toBeGreaterThan(10);
  expect(text.match(/View on Marketplace/g)).toHaveLength(shown);
  expect(text).toContain(`${20 - shown} more cars on your alert's page`);
});
