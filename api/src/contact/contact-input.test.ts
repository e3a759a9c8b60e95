import { describe, expect, it } from 'vitest';
import { AppError } from '../base/errors.ts';
import { type ContactInput, checkContactMessage } from './contact-input.ts';

const given: ContactInput = {
  name: 'Ada',
  email: 'ada@home.example',
  subject: 'My alert',
  message: 'It stays quiet.',
};

function fieldsOf(input: Partial<ContactInput>): Record<string, string> | undefined {
  try {
    checkContactMessage({ ...given, ...input });
    return undefined;
  } catch (error) {
    return error instanceof AppError ? error.fields : { thrown: String(error) };
  }
}

describe('a contact message', () => {
  it('needs all four fields, in visible characters', () => {
    const required = { name: 'Required', email: 'Required', subject: 'Required', message: 'Required' };
    expect(fieldsOf({ name: '', email: '', subject: '', message: '' })).toEqual(required);
    expect(fieldsOf({ name: ' \t', email: '\n', subject: '\u200b\u2060', message: '\r\n \u202e' })).toEqual(required);
    expect(fieldsOf({ message: '\f\v' })).toEqual({ message: 'Required' });
    expect(fieldsOf({})).toBeUndefined();
  });

  it.each([
    ['name', 100, 'Name can have at most 100 characters'],
    ['subject', 200, 'Subject can have at most 200 characters'],
    ['message', 5000, 'Message can have at most 5,000 characters'],
  ] as const)('holds %s to %i characters', (name, most, text) => {
    expect(fieldsOf({ [name]: 'x'.repeat(most) })).toBeUndefined();
    expect(fieldsOf({ [name]: ` ${'x'.repeat(most)} ` })).toBeUndefined();
    expect(fieldsOf({ [name]: 'x'.repeat(most + 1) })).toEqual({ [name]: text });
  });

  it.each([
    'nowhere',
    'a@b',
    'a b@c.example',
    'a@c.example\r\nBcc: x@y.example',
    'a@c.example\u0000',
    'Ada <a@c.example>',
    'a@c.example,b@c.example',
    `a@${'b'.repeat(60)}.${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(63)}.${'f'.repeat(9)}`,
  ])('refuses %j as an address', (email) => {
    expect(fieldsOf({ email })).toEqual({ email: 'Please enter a valid email' });
  });

  it('keeps the text except characters that start a header, reverse a line or cannot be stored', () => {
    const checked = checkContactMessage({
      name: ' Ada\r\nBcc: all@home.example ',
      email: ' ada@home.example ',
      subject: 'Hi\u0000\u2028\u202eThere \ud83d',
      message: '  First\r\nSecond\rThird\tcell\u0000\u001b[31m <b>🚗 \u05e9\u05dc\ud83d\n',
    });
    expect(checked).toEqual({
      name: 'Ada Bcc: all@home.example',
      email: 'ada@home.example',
      subject: 'Hi There',
      message: 'First\nSecond\nThird\tcell\ufffd\ufffd[31m <b>🚗 \u05e9\u05dc\ufffd',
    });
  });
});
