import { describe, expect, it } from 'vitest';
import { sampleAlert, sampleFoot } from '../../test/mail/sample-mails.ts';
import { expiredMail, reminderMail, testMail } from './alert-mails.ts';

const linksOf = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, address]) => address);

describe('mails about an alert', () => {
  it.each([
    [testMail(sampleAlert), 'Test: Toyota Camry alert', sampleFoot.alertUrl],
    [reminderMail(sampleAlert), 'Your Toyota Camry alert ends on Jan 2, 2027', sampleFoot.renewUrl],
    [expiredMail(sampleAlert), 'Your Toyota Camry alert has ended', sampleFoot.renewUrl],
  ])('describe what to do: %#', ({ subject, text, html }, expected, address) => {
    expect(subject).toBe(expected);
    expect(linksOf(html)[0]).toBe(address);
    for (const part of [text, html]) {
      expect(part).toContain('Los Angeles, CA');
      expect(part).toContain(sampleFoot.unsubscribeUrl);
    }
  });
});
