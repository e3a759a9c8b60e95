import { grouped } from '@lotwatch/api/plain-words';

/**
 * What a field for a whole number holds after someone typed or pasted `text`: empty or a whole number of at least 0.
 * '$18,000' becomes '18000' and '99.50' becomes '99'; anything else leaves `before` as it was.
 */
export function cleanNumber(text: string, before: string): string {
  const bare = text.replace(/[$,\s]/g, '');
  const whole = /^(\d*)(?:\.\d*)?$/.exec(bare)?.[1];
  if (whole === undefined || whole.length > 8) return before;
  return whole.replace(/^0+(?=\d)/, '');
}

/** '50,000' for '50000'; what is no whole number stays. */
export const withCommas = (value: string): string => (/^\d+$/.test(value) ? grouped(Number(value)) : value);

interface Typed {
  /** The field's text as the browser changed it. */
  text: string;
  /** Where the caret then is in it. */
  caret: number;
  /** Whether the key was Delete, which removes what is after the caret. */
  isForward: boolean;
}

/** A field's value, how it is shown, and where the caret is in that. */
interface Edited {
  value: string;
  shown: string;
  caret: number;
}

const countDigits = (text: string): number => text.replace(/\D/g, '').length;

/** What follows when a field that shows `before` with commas was typed in: as many digits stay after the caret. */
export function editNumber(before: string, { text, caret, isForward }: Typed): Edited {
  let value = cleanNumber(text, before);
  let after = Math.min(countDigits(text.slice(caret)), value.length);
  // Only a comma was deleted: the digit beyond it was meant.
  if (text.length < withCommas(before).length && text.replaceAll(',', '') === before) {
    const at = value.length - after;
    value = cleanNumber(
      isForward ? value.slice(0, at) + value.slice(at + 1) : value.slice(0, at - 1) + value.slice(at),
      value,
    );
    after = Math.min(isForward ? after - 1 : after, value.length);
  }
  const shown = withCommas(value);
  let place = shown.length;
  for (let left = after; left > 0; ) if (shown[--place] !== ',') left -= 1;
  return { value, shown, caret: shown[place - 1] === ',' ? place - 1 : place };
}
