import { describe, expect, it } from 'vitest';
import {
  addressChangedMail,
  addressChangeMail,
  addressTakenMail,
  confirmMail,
  contactMail,
  newDeviceMail,
  resetMail,
} from './account-mails.ts';

describe('mails about an account', () => {
  it('have their link in both parts', () => {
    const url = 'https://lotwatch.example/confirm-email/token';
    const change = { username: 'ada', newAddress: 'new@example.com', supportEmail: 'help@example.com' };
    for (const mail of [
      confirmMail({ username: 'ada', confirmUrl: url }),
      addressTakenMail({ username: 'ada', signInUrl: url }),
      resetMail({ username: 'ada', resetUrl: url, isNeeded: false }),
      resetMail({ username: 'ada', resetUrl: url, isNeeded: true }),
      addressChangeMail({ ...change, undoUrl: url }),
      addressChangedMail({ ...change, undoUrl: url }),
      addressChangedMail({ ...change, newAddress: null, undoUrl: url }),
    ]) {
      expect(mail.html).toContain(`href="${url}"`);
      expect(mail.text.split('\n').filter((line) => line.endsWith(url))).toHaveLength(1);
      expect(mail.text).toContain('ada');
    }
  });

  it('show the time and device of a sign-in, and what to do', () => {
    const mail = newDeviceMail({
      username: 'ada',
      when: 'Jan 2, 2027, 3:04 PM EST',
      browser: 'Firefox',
      system: 'Linux',
      devicesUrl: 'https://lotwatch.example/settings/devices',
      resetUrl: 'https://lotwatch.example/forgot-password',
    });
    for (const words of ['Firefox on Linux', 'Jan 2, 2027, 3:04 PM EST', 'ada']) expect(mail.text).toContain(words);
    for (const path of ['settings/devices', 'forgot-password']) {
      expect(mail.html).toContain(`href="https://lotwatch.example/${path}"`);
      expect(mail.text.split('\n').filter((line) => line.endsWith(`https://lotwatch.example/${path}`))).toHaveLength(1);
    }
  });

  it('show no username that looks like a link', () => {
    const mail = confirmMail({ username: 'You won! evil.example/x', confirmUrl: 'https://lotwatch.example/c' });
    expect(mail.text + mail.html).not.toContain('evil');
    expect(mail.text).toContain('Hello, please confirm');
  });

  it('show the new address to the old one', () => {
    const mail = addressChangedMail({
      username: 'ada',
      newAddress: 'new@example.com',
      undoUrl: null,
      supportEmail: 'help@example.com',
    });
    expect(mail.text).toContain('new@example.com');
    expect(mail.text).not.toContain('https:');
    expect(mail.text).toContain('help@example.com');
  });

  it('forward a contact message without markup, and with a subject of one line', () => {
    const mail = contactMail({ name: '<b>', email: 'a@b.example', subject: 'Hi\r\nBcc: x', message: 'One\n\n<i>Two' });
    expect(mail.subject).toBe('Contact: Hi Bcc: x');
    expect(mail.html).toContain('&lt;i&gt;Two');
    expect(mail.text).toContain('One\n\n<i>Two');
  });
});
