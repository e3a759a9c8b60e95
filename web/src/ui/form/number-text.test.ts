import { describe, expect, it } from 'vitest';
import { cleanNumber, editNumber, withCommas } from './number-text.ts';

describe('a field for a whole number', () => {
  it.each([
    ['18000', '', '18000'],
    ['$18,000', '', '18000'],
    ['99.50', '', '99'],
    ['', '5', ''],
    ['0', '', '0'],
    ['0500', '', '500'],
    ['-5', '7', '7'],
    ['abc', '7', '7'],
    ['123456789', '7', '7'],
  ])('%j over %j becomes %j', (text, before, after) => {
    expect(cleanNumber(text, before)).toBe(after);
  });

  it.each([
    ['', ''],
    ['0', '0'],
    ['999', '999'],
    ['50000', '50,000'],
    ['12345678', '12,345,678'],
  ])('shows %j as %j', (value, shown) => {
    expect(withCommas(value)).toBe(shown);
  });

  // | is the caret: what the field held, what the browser made of it, what is shown then.
  it.each([
    ['', '5|', '5|', 'the first digit'],
    ['999', '9999|', '9,999|', 'a digit at the end'],
    ['5000', '5,10|00', '51,0|00', 'a digit in the middle'],
    ['50000', '1|50,000', '1|50,000', 'a digit at the start'],
    ['50000', '50,00|', '5,000|', 'Backspace at the end'],
    ['50000', '50,0|0', '5,00|0', 'Backspace in the middle'],
    ['50000', '50|000', '5|,000', 'Backspace behind the comma'],
    ['1000', '1|000', '|0', 'Backspace behind the comma of 1,000'],
    ['50000', '$18,000|', '18,000|', 'a pasted price'],
    ['50000', '50a,000', '50,000', 'a letter'],
    ['50000', '50a|,000', '50|,000', 'a letter in the middle'],
    ['12345678', '12,9|345,678', '12|,345,678', 'a digit too many'],
    ['50000', '50,00000|', '5,000,000|', 'zeros at the end'],
    ['0', '05|', '5|', 'a digit behind 0'],
    ['50000', '|', '|', 'nothing'],
  ])('%j typed to %j is %j: %s', (before, typed, expected) => {
    const edited = editNumber(before, { ...at(typed), isForward: false });
    expect(put(edited)).toBe(expected.includes('|') ? expected : `${expected}|`);
    expect(edited.value).toBe(expected.replace(/\D/g, ''));
  });

  it('deletes the digit behind a comma by Delete', () => {
    expect(put(editNumber('50000', { ...at('50|000'), isForward: true }))).toBe('5,0|00');
    expect(put(editNumber('50000', { ...at('5|,000'), isForward: true }))).toBe('5|,000');
  });
});

const at = (typed: string) => ({
  text: typed.replace('|', ''),
  caret: typed.includes('|') ? typed.indexOf('|') : typed.length,
});
const put = ({ shown, caret }: { shown: string; caret: number }) => `${shown.slice(0, caret)}|${shown.slice(caret)}`;
