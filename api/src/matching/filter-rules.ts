import { BELOW_FAIR, IN_ALERT, kindBits, PRICE_STATED } from '../domain/criteria/filters.ts';
import { NO_MILEAGE_MAX, NO_PRICE_MAX } from '../domain/criteria/search-columns.ts';
import { wordFolds } from '../domain/forms/filter-values.ts';
import { columnOf } from '../entities/alert.ts';
import { isBelowFair } from '../entities/criteria-columns.ts';

/*
 * The filters of `domain/criteria/filters.ts` as SQL. `c` is the criteria of an alert, whose `asked` has a bit for each value
 * that it asks for. Two numbers decide for nearly every alert; only what has no bit, such as words, is looked up.
 */

/** SQL: the bits of what a listing's value of each fact does. */
const bitsOf = (
  l: string,
  read: (value: { refuted: number; open: number }) => number,
  stated: number,
  unstated: number,
) =>
  kindBits
    .map(({ kind, all, values }) => {
      const column = `${l}.${columnOf(kind)}`;
      const cases = values.map((one) => `when '${one.value}' then ${read(one)}`).join(' ');
      return `(case when ${column} is null then ${all * unstated} else case ${column} ${cases} else ${all * stated} end end)`;
    })
    .join(' + ');

/** SQL: the bits of `asked` that a listing refutes. */
const refutedBits = (l: string): string => `
  ${bitsOf(l, ({ refuted }) => refuted, 1, 0)}
  + (case when ${l}.price is null then ${PRICE_STATED} else 0 end)
  + (case when ${isBelowFair(`${l}.price`, l)} then 0 else ${BELOW_FAIR} end)`;

/** SQL: the bits of `asked` that a listing leaves open, as it does not state the fact. */
const openBits = (l: string): string => bitsOf(l, ({ open }) => open, 0, 1);

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** SQL: the words of a title, each between blanks. */
const wordsOf = (title: string): string =>
  `' ' || regexp_replace(translate(${title}, ${literal(wordFolds.from)}, ${literal(wordFolds.to)}), ' +', ' ', 'g') || ' '`;

/** SQL: whether the alert of a cell asks for one of these facts. */
export const asksForKind = `c.asked & ${kindBits.reduce((bits, { all }) => bits + all, 0)} <> 0`;

/** SQL: whether `l` fits what has no bit. @param a the alert's columns @param least its bounds of the price */
const othersFit = (a: string, l: string, least: string, most: string): string => `
  (${l}.price is null or ${l}.price between coalesce(${least}, 0) and coalesce(${most}, ${NO_PRICE_MAX}))
  and (select not exists (select from unnest(${a}.exclude_words) w where strpos(t.words, ' ' || w || ' ') > 0)
          and not exists (select from unnest(${a}.require_words) w where strpos(t.words, ' ' || w || ' ') = 0)
         from (select ${wordsOf(`${l}.title`)} as words offset 0) t)`;

/** SQL: joins to the listing `l` its bits as `f`, computed once and not for each alert. */
export const listingBits = `
 cross join lateral (select ${refutedBits('l')} as refuted, ${openBits('l')} as left_open offset 0) f`;

/** SQL: whether a listing `l` with its bits `f` fits the filters of an alert that was found by its cell. */
export const filtersFit = `
  c.asked & f.refuted = 0 and c.mileage_max >= coalesce(l.mileage, ${NO_MILEAGE_MAX})
  and (c.asked < ${IN_ALERT}
       or (select ${othersFit('a', 'l', 'a.price_min', 'a.price_max')} from alerts a where a.id = c.alert_id))`;

/** SQL: whether a listing with its bits `f` does not state what a filter asks for. */
export const isLeftOpen = 'c.asked & f.left_open <> 0';

const askedFit = `
  c.asked & (${refutedBits('f')}) = 0
  and (c.asked < ${IN_ALERT} or (${othersFit('c', 'f', 'c.least_price', 'c.most_price')}))`;

const hasNoFilters = `c.asked = 0 and c.mileage_max = ${NO_MILEAGE_MAX}`;

/**
 * SQL: whether a listing `l` fits the filters of an alert whose criteria are known. Only where there are some is the listing
 * read, as the index of the search has none of these facts.
 */
export const askedFiltersFit = `
  (${hasNoFilters} or (
    select c.mileage_max >= coalesce(f.mileage, ${NO_MILEAGE_MAX}) and ${askedFit} from listings f where f.id = l.id))`;

/** SQL: the same without the mileage. */
export const askedButMileageFit = `(c.asked = 0 or (select ${askedFit} from listings f where f.id = l.id))`;

/** SQL: whether a listing `l` does not state what a filter of a known alert asks for. */
export const isAskedLeftOpen = `
  case when c.asked = 0 then false
       else (select c.asked & (${openBits('f')}) <> 0 from listings f where f.id = l.id) end`;
