import { expect, it } from 'vitest';
import { mailboxOf } from './mailbox.ts';

it.each([
  ['ada@example.com', 'ada@example.com'],
  [' Ada@Example.COM ', 'ada@example.com'],
  ['ada+cars@example.com', 'ada@example.com'],
  ['ada+cars+more@example.com.', 'ada@example.com'],
  ['a.d.a+x@gmail.com', 'ada@gmail.com'],
  ['a.d.a@GoogleMail.com', 'ada@gmail.com'],
  ['a.d.a@example.com', 'a.d.a@example.com'],
  ['ada@münchen.example', 'ada@xn--mnchen-3ya.example'],
  ['ada@xn--mnchen-3ya.example', 'ada@xn--mnchen-3ya.example'],
  ['ａｄａ@example.com', 'ada@example.com'],
  ['+tag@example.com', '+tag@example.com'],
  ['...@gmail.com', '...@gmail.com'],
  ['ada@constructor', 'ada@constructor'],
  ['nowhere', 'nowhere'],
  ['@example.com', '@example.com'],
  ['', ''],
])('counts mails to %j as to %j', (address, mailbox) => {
  expect(mailboxOf(address)).toBe(mailbox);
});

it('returns the key of a mailbox unchanged', () => {
  for (const address of ['Ada+x@Gmail.com', 'a.b@münchen.example', '++@x', 'x@@y.z']) {
    expect(mailboxOf(mailboxOf(address))).toBe(mailboxOf(address));
  }
});
