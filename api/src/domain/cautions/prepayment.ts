/** Longest text that is searched; longer ones are cut. */
const MAX_TEXT = 12_000;
/** Longest words that are quoted. */
const MAX_QUOTED = 80;
/** How far before a phrase a word turns it round. */
const NEGATED = 60;

const before =
  '(?:first|up ?front|in advance|before (?:you |we |i |any |the |a )?(?:seeing|see|viewing|view|meeting|meet|deliver\\w*|ship\\w*|inspect\\w*|test|come|coming|pick\\w*|show\\w*))';
const apps = '(?:zelle|cash ?app|venmo|apple ?pay|paypal friends(?: (?:and|&) family)?)';
const unreturnable = '(?:western union|money ?gram|bitcoin|btc|crypto(?:currency)?)';
const wire = '(?:bank |wire )?(?:wire|transfer)';
const cards = '(?:(?:itunes|google play|steam|amazon|ebay|vanilla|prepaid|apple) )?gift ?cards?';
/** Up to some words between. */
const gap = (characters: number) => `.{0,${characters}}?`;

const early = 'first front advance before';
const appNames = 'zelle cash venmo apple paypal';

/**
 * What sellers write who ask for money before the car is seen. Each phrase comes after words of which it has at least one,
 * by which nearly all clauses are passed over.
 */
const phrases = [
  ['deposit', `(?<!security |down )\\bdeposit ${gap(20)}\\b${before}`],
  [
    'deposit',
    `(?<!security |down )\\bdeposit (?:is )?(?:required|needed|due) (?:(?:prior )?to|for) (?:seeing|see|viewing|view|a viewing|test|delivery|shipping)\\b`,
  ],
  [
    'money funds payment deposit',
    `(?:send|sending|wire|transfer|mail) (?:me |us )?(?:the |a |your |half |full )?(?:money|funds|payment|deposit)\\b`,
  ],
  [
    early,
    `(?<!down |first |monthly )\\b(?:pay|payment|paid) (?:in full |the full amount |the full price |half |is |required |due |must be made ){0,2}${before}`,
  ],
  ['first', `\\bfull payment first\\b`],
  [
    'gift',
    `\\b(?:pay|pays|paid|payment|payable|accept|accepts|accepting|take|takes|taking|send|sent|via|through|using) ${gap(30)}\\b${cards}\\b(?! (?:with|for|included))`,
  ],
  ['gift', `\\b${cards} (?:only|accepted|payments?|as payment|as a payment|as deposit)\\b`],
  [appNames, `\\b${apps} (?:only|${before}|deposits?)\\b`],
  [appNames, `\\b(?:only|just) (?:accept(?:s|ing)?|tak(?:e|es|ing)) ${apps}\\b`],
  [appNames, `\\b(?:pay|payment|deposit) ${gap(12)}(?:by|via|with|through|using|on|over) ${apps}\\b(?! or cash|/cash)`],
  [appNames, `\\b(?:send|sent) ${gap(25)}${apps}\\b`],
  [
    'western money bitcoin btc crypto',
    `\\b(?:pay|pays|payment|accept|accepts|accepting|take|takes|via|by|through|send|using) ${gap(20)}\\b${unreturnable}\\b`,
  ],
  ['western money bitcoin btc crypto', `\\b${unreturnable} (?:only|payments?|transfer|deposits?)\\b`],
  ['wire transfer', `\\b${wire} (?:only|${before})\\b`],
  [
    'only',
    `\\b(?:shipping|delivery) only\\b(?! (?:within|to|in|at|if|on|for|from|after|available|by|with|costs?|\\$|near))`,
  ],
  ['shipping', `\\bonly (?:by |via )?shipping\\b(?! (?:within|to|in|at|if|on|for|from|costs?|\\$))`],
  [
    'after once upon when',
    `\\b(?:ship|ships|shipped|shipping|deliver|delivers|delivered|delivery) ${gap(20)}(?:after|once|upon|when) ${gap(25)}(?:pay|payment|paid|deposit|funds|money)\\b`,
  ],
  [
    'person before',
    `\\b(?:can ?not|can'?t|unable to|not able to) (?:be )?(?:see|seen|show|shown|view|viewed|inspect|inspected|meet)(?: (?:it|the car|you))? (?:in person|before)\\b`,
  ],
  ['protection', `\\b(?:ebay|amazon)(?: motors)? ${gap(25)}(?:buyer|vehicle|purchase) (?:purchase )?protection\\b`],
].map(([words = '', phrase = '']) => ({
  words: words.split(' '),
  phrase: new RegExp(phrase, 'g'),
}));

/** Words before a phrase, in the same clause, that turn it round: "never send a deposit first". */
const negation =
  /\b(?:no|not|never|without|nor|neither|avoid|beware|scam|scams|scammers|don't|dont|won't|wont|isn't|aren't|can't|wouldn't|refuse|anyone who|anybody who)\b/;
/** What only the negation of seeing the car says is no negation of a payment. */
const saysNot = /^(?:can|unable|not able)/;

/** Every phrase has a word that begins so, and nearly no clause has: the others are passed over. */
const sign =
  /\b(?:deposit|money|fund|pay|paid|gift|zelle|cash\s{0,9}app|venmo|western|bitcoin|btc|crypto|wire|transfer|shipping|delivery|can'?t|can\s{0,9}not|unable|not\s{1,9}able|protection)/g;

/** Whether a clause ends at `at`. Points and commas in numbers end none. */
function endsClause(text: string, at: number): boolean {
  switch (text[at]) {
    case '!':
    case '?':
    case ';':
    case '\n':
      return true;
    case '.':
    case ',':
      return !/\d/.test(text[at + 1] ?? '');
    default:
      return false;
  }
}

/** The clauses of a text that may have a phrase, in lower case and with plain apostrophes and blanks. */
function clausesOf(text: string): string[] {
  const plain = text.slice(0, MAX_TEXT).toLowerCase().replaceAll('’', "'");
  const clauses: string[] = [];
  sign.lastIndex = 0;
  for (let found = sign.exec(plain); found !== null; found = sign.exec(plain)) {
    let start = found.index;
    while (start > 0 && !endsClause(plain, start - 1)) start--;
    let end = found.index;
    while (end < plain.length && !endsClause(plain, end)) end++;
    // A longer clause is searched in parts.
    clauses.push(
      ...(plain
        .slice(start, end)
        .replace(/\s+/g, ' ')
        .trim()
        .match(/.{1,200}/g) ?? []),
    );
    sign.lastIndex = end;
  }
  return clauses;
}

function findInClause(clause: string): string | null {
  for (const { words, phrase } of phrases) {
    if (!words.some((word) => clause.includes(word))) continue;
    for (const { 0: found, index } of clause.matchAll(phrase)) {
      const before = clause.slice(Math.max(0, index - NEGATED), index);
      if (saysNot.test(found) || !negation.test(before)) return found.trim().slice(0, MAX_QUOTED);
    }
  }
  return null;
}

/**
 * Finds the words with which a seller asks for money before the car is seen, or in ways that can't be taken back.
 * @param texts the title, and the description where there is one
 * @returns the words as they were found, in lower case; null without any
 */
export function findPrepayment(...texts: readonly (string | null)[]): string | null {
  for (const text of texts) {
    for (const clause of text ? clausesOf(text) : []) {
      const found = findInClause(clause);
      if (found !== null) return found;
    }
  }
  return null;
}
