import { isDirectlyDenied } from './contexts.ts';
import type { Found } from './found.ts';
import { Gap, gapBefore, type SellerText, setOf, wordAt } from './seller-text.ts';

type Seller = 'private' | 'dealer';
interface Sign {
  seller: Seller;
  weight: number;
  from: number;
  to: number;
}

const partners = setOf('party seller sale owner individual');
const financing = setOf('financing finance financiamiento');
const near = setOf('available offered offer for we options guaranteed disponible all bad');
const relatives = setOf('wifes husbands moms dads daughters sons grandmas grandpas wife husband');

function signAt(text: SellerText, index: number): Sign | null {
  const word = wordAt(text, index);
  const [before, next] = [wordAt(text, index - 1), wordAt(text, index + 1)];
  const isBefore = gapBefore(text, index) < Gap.comma;
  const isAfter = gapBefore(text, index + 1) < Gap.comma;
  const isNumbered = (next === 'no' || next === 'number') && !Number.isNaN(text.values[index + 2] ?? Number.NaN);
  const sign = (seller: Seller, weight: number, from = index, to = index + 1): Sign => ({ seller, weight, from, to });
  if (word === 'fsbo') return sign('private', 4);
  if (word === 'owner' && before === 'by' && isBefore)
    return wordAt(text, index - 2) === 'sale'
      ? sign('private', 4, index - 3)
      : wordAt(text, index - 2) === 'owned'
        ? null
        : sign('private', 2, index - 1);
  if ((word === 'private' || word === 'privately') && isAfter && (partners.has(next) || next === 'owned'))
    return wordAt(text, index + 2) === 'value' ? null : sign('private', next === 'owned' ? 1 : 4, index, index + 2);
  if ((word === 'dealer' || word === 'dealers' || word === 'dealership') && isDirectlyDenied(text, index))
    return sign('private', word === 'dealer' && next.startsWith('fee') ? 0 : 2, index - 1);
  if (word === 'my' && isBefore && (before === 'selling' || before === 'sell' || before === 'sale'))
    return sign('private', 2, index - 1, index + 2);
  if (word === 'my' && relatives.has(next)) return sign('private', 1, index, index + 2);
  if (word === 'i' && isAfter && (next === 'bought' || next === 'own' || next === 'purchased'))
    return sign('private', 1, index, index + 2);
  if (word === 'we' && isAfter && (financing.has(next) || next === 'specialize' || next === 'deliver'))
    return sign('dealer', 3, index, index + 2);
  if (
    word === 'we' &&
    (next === 'accept' || next === 'take') &&
    (wordAt(text, index + 2).startsWith('trade') || wordAt(text, index + 3).startsWith('trade'))
  )
    return sign('dealer', 3, index, index + 3);
  if (financing.has(word) && ((isAfter && near.has(next)) || (isBefore && near.has(before))))
    return sign('dealer', 3, index - 1, index + 2);
  if ((word === 'stock' || word === 'stk') && (gapBefore(text, index + 1) === Gap.colon || isNumbered))
    return sign('dealer', 3, index, index + 2);
  if (word === 'doc' && next.startsWith('fee')) return sign('dealer', 4, index, index + 2);
  if (word === 'dealer' && next.startsWith('fee')) return sign('dealer', 3, index, index + 2);
  if (word === 'bhph') return sign('dealer', 4);
  if (word === 'visit' && (next === 'our' || next === 'us')) return sign('dealer', 3, index, index + 2);
  if (
    word === 'our' &&
    isAfter &&
    (next === 'lot' ||
      next === 'inventory' ||
      next === 'dealership' ||
      next === 'showroom' ||
      next === 'website' ||
      next === 'finance' ||
      next === 'sales')
  )
    return sign('dealer', 3, index, index + 2);
  if (word === 'approval' || word === 'approved')
    return before === 'guaranteed' || before === 'get' ? sign('dealer', 2, index - 1) : null;
  if (word === 'credit')
    return before === 'bad' || before === 'no' || before === 'all' ? sign('dealer', 2, index - 1) : null;
  return null;
}

/** Who sells, by what a text says of it: a sign that can't be mistaken, or several. Signs of both state nothing. */
export function readSellerKind(text: SellerText): Found<Seller> | null {
  const sums: Record<Seller, number> = { private: 0, dealer: 0 };
  const firsts: Partial<Record<Seller, Sign>> = {};
  for (const index of text.found.seller) {
    const sign = signAt(text, index);
    if (!sign) continue;
    sums[sign.seller] += sign.weight;
    firsts[sign.seller] ??= sign;
  }
  const seller: Seller = sums.private >= sums.dealer ? 'private' : 'dealer';
  const other = seller === 'private' ? sums.dealer : sums.private;
  const sign = firsts[seller];
  const needed = seller === 'private' ? 2 : 3;
  if (!sign || sums[seller] < needed || other * 2 > sums[seller]) return null;
  return { value: seller, from: Math.max(0, sign.from), to: sign.to };
}
