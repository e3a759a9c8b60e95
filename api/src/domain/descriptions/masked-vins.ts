import { readVin } from '../facts/facts-from-text.ts';

const LENGTH = 17;
/** The maker's code before, and the end of the serial number after what is masked. */
const BEFORE = 3;
const AFTER = 4;
const code = /(?<![A-Z\d])[A-Z\d]{17}(?![A-Z\d])/gi;

/** A seller's text without the VINs in it, which are for the admin alone: `1HG••••••••••0001`. */
export const maskVins = (text: string): string =>
  text.replace(code, (found) =>
    readVin(found) === null
      ? found
      : found.slice(0, BEFORE) + '•'.repeat(LENGTH - BEFORE - AFTER) + found.slice(LENGTH - AFTER),
  );
