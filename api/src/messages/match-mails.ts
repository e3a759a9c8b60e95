import type { Verdict } from '../domain/criteria/criteria.ts';
import { matchCountText } from '../domain/match-cap.ts';
import { jpegInWidth, type PhotoWidth } from '../domain/photo-sizes.ts';
import { dollars } from '../domain/prices/price-words.ts';
import type { PriceBand } from '../domain/prices/rate-price.ts';
import { type AlertMail, alertFoot, alertFootText } from './alert-mails.ts';
import { type EndedCar, endedPanel, endedText } from './ended-cars.ts';
import { type CarFacts, factWords } from './fact-words.ts';
import {
  button,
  countedMatches,
  layout,
  type MailContent,
  type Markup,
  markup,
  oneLine,
  panel,
  paragraph,
  styles,
  target,
  webAddress,
} from './mail-layout.ts';
import { bandWords } from './price-words.ts';
import { milesAway, waitedWords, whyWords } from './why-words.ts';

export interface MailCar extends CarFacts {
  /** Whole US dollars; null when not stated. */
  price: number | null;
  /** The former price, after a price drop. */
  priceBefore: number | null;
  /** What comparable cars are offered for; null where too little is known. */
  band: PriceBand | null;
  /** Why there is no band, as it is stored. */
  bandRefusal: string | null;
  /** Why to look twice at it, in sentences. */
  caution: string | null;
  photo: string | null;
  /** The listing's own page, else the marketplace's home. */
  href: string;
  /** 'Pasadena, CA' */
  place: string | null;
  distanceMiles: number;
  /** Why it fits: a verdict for each criterion of the alert. */
  verdicts: readonly Verdict[];
  /** Why the buyer is told of a car that does not fit. */
  followed?: 'saved' | 'viewed' | null;
  /** Hides the car and ends messages about it; signed. */
  dismissUrl: string;
}

/** What a mail offers after more than 20 mails of its alert in a day. */
export interface Flood {
  /** Mails of the last 24 hours before this one. */
  sent: number;
  /** Makes the alert a daily digest; signed. */
  dailyUrl: string;
  /** The page on which the alert is edited. */
  narrowUrl: string;
}

export interface MatchMail extends AlertMail {
  /** 'match', 'price_drop', 'digest', 'summary' or 'sold'. */
  kind: string;
  /** The cars that the mail shows; the others are on the alert's page. */
  cars: readonly MailCar[];
  /** How many cars the mail is about. */
  count: number;
  /** How many of them got cheaper; by default those that are shown and did. */
  drops?: number;
  /** Cars that are no longer for sale, the first of `count`. */
  ended?: { shown: readonly EndedCar[]; count: number };
  /** The rule that held a summary. */
  heldBy?: string | null;
  flood: Flood | null;
}

const style = (name: keyof typeof styles) => ({ markup: styles[name] });

export function priceWords(car: Pick<MailCar, 'price'>): string {
  return car.price === null ? 'Price not stated' : dollars(car.price);
}

export function placeWords(car: Pick<MailCar, 'place' | 'distanceMiles'>): string {
  const away = milesAway(car.distanceMiles);
  return car.place === null ? away : `${oneLine(car.place)} · ${away}`;
}

/** Sellers may write 500 characters. */
const MAX_TITLE = 160;

/** A title on one line, cut between characters. */
function titleOf(car: MailCar): string {
  const title = oneLine(car.title);
  return title.length <= MAX_TITLE ? title : `${oneLine(title.slice(0, MAX_TITLE))}…`;
}

/** A mail of more cars shows them smaller, with the photo beside the text. */
const MAX_LARGE = 4;

interface CardStyle {
  photo: { width: number; height: number; fileWidth: PhotoWidth; style: string };
  /** Characters of the title in the photo's alternative text. */
  altTitle: number;
  price: keyof typeof styles;
  title: keyof typeof styles;
  /** Between the reasons. */
  separator: string;
}

const large: CardStyle = {
  photo: { width: 518, height: 345, fileWidth: 960, style: 'width:100%;height:auto;aspect-ratio:3/2' },
  altTitle: 60,
  price: 'price',
  title: 'title',
  separator: '<br>',
};
const small: CardStyle = {
  photo: { width: 112, height: 84, fileWidth: 320, style: 'width:112px;height:84px' },
  altTitle: 24,
  price: 'smallPrice',
  title: 'smallTitle',
  separator: '&ensp; ',
};

const gap = (px: number): Markup =>
  markup`<div style="${{ markup: `height:${px}px;line-height:${px}px;font-size:1px` }}">&nbsp;</div>`;

/** The whole words of a text that fit, or the part that fits of a longer word. */
function wordsUpTo(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length);
  return oneLine(cut.includes(' ') ? cut.slice(0, cut.lastIndexOf(' ')) : cut).replace(/[,.;:]$/, '');
}

function photoMarkup(car: MailCar, href: string, card: CardStyle): Markup | null {
  const photo = webAddress(car.photo);
  if (photo === null) return null;
  const { width, height, fileWidth, style: size } = card.photo;
  const alt = `Photo of ${wordsUpTo(oneLine(car.title), card.altTitle)}`;
  return markup`<a href="${href}" style="text-decoration:none"><img src="${jpegInWidth(photo, fileWidth)}" class="photo" alt="${alt}" width="${width}" height="${height}" style="${style('photo')};${{ markup: size }}"></a>`;
}

function factsMarkup(car: MailCar, card: CardStyle): Markup {
  const facts = factWords(car);
  const band = bandWords(car, card === large);
  return markup`${
    car.priceBefore === null
      ? null
      : markup`<p style="margin:0 0 6px"><span class="badge" style="${style('badge')}">Price drop from ${dollars(car.priceBefore)}</span></p>`
  }<p class="${car.price === null ? 'muted' : 'ink'}" style="${style(car.price === null ? 'line' : card.price)}">${priceWords(car)}</p>
<h2 class="ink" style="${style(card.title)};padding:2px 0 6px">${titleOf(car)}</h2>
<p class="muted" style="${style('line')}">${facts === '' ? null : markup`${facts}<br>`}${placeWords(car)}${band === null ? null : markup`<br>${band}`}${car.caution ? markup`<br><b>Look twice:</b> ${car.caution}` : null}</p>`;
}

const followedWords = (followed: 'saved' | 'viewed') => `You ${followed} this car. It does not fit the alert any more.`;

function whyMarkup(car: MailCar, { separator }: CardStyle): Markup {
  if (car.followed) return markup`<div class="why" style="${style('why')}">${followedWords(car.followed)}</div>`;
  const { met, notStated } = whyWords(car.verdicts, car.distanceMiles);
  const between = { markup: separator };
  const reasons = [
    ...met.map((words) => markup`${between}✓\u00a0${words}`),
    ...notStated.map((words) => markup`${between}–\u00a0${words}`),
  ];
  return markup`<div class="why" style="${style('why')}"><b>Why it fits</b>${reasons}</div>`;
}

function carMarkup(mail: MatchMail, car: MailCar): Markup {
  const isLarge = mail.cars.length <= MAX_LARGE;
  const card = isLarge ? large : small;
  const href = webAddress(car.href) ?? mail.foot.alertUrl;
  const photo = photoMarkup(car, href, card);
  const facts = factsMarkup(car, card);
  const beside = markup`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr>
<td valign="top" width="126" style="width:126px">${photo}</td><td valign="top">${facts}</td></tr></table>`;
  const above = markup`${photo === null ? null : markup`${photo}${gap(16)}`}${facts}`;
  return panel(markup`${isLarge || photo === null ? above : beside}
${gap(12)}${whyMarkup(car, card)}${gap(16)}
${button('View on Marketplace', href)}
<div style="margin:0 0 -12px">${target('Not this car', car.dismissUrl)}</div>`);
}

function carText(mail: MatchMail, car: MailCar): string {
  const before = car.priceBefore === null ? '' : ` (price drop from ${dollars(car.priceBefore)})`;
  const { met, notStated } = whyWords(car.verdicts, car.distanceMiles);
  const lines = [
    titleOf(car),
    `${priceWords(car)}${before}`,
    factWords(car),
    placeWords(car),
    bandWords(car, mail.cars.length <= MAX_LARGE) ?? '',
    car.caution ? `Look twice: ${car.caution}` : '',
    ...(car.followed
      ? [followedWords(car.followed)]
      : ['Why it fits:', ...met.map((words) => `  + ${words}`), ...notStated.map((words) => `  - ${words}`)]),
    `View on Marketplace: ${webAddress(car.href) ?? mail.foot.alertUrl}`,
    `Not this car: ${car.dismissUrl}`,
  ];
  return lines.filter((line) => line !== '').join('\n');
}

/** 'Toyota Camry: 2018 Toyota Camry SE, $15,400' or '3 new matches: Toyota Camry'. */
function subjectOf(mail: MatchMail): string {
  const [car] = mail.cars;
  if (!car || mail.count > 1) {
    const { count, drops = mail.cars.filter(({ priceBefore }) => priceBefore !== null).length } = mail;
    const what = [
      ...(count > drops ? [countedMatches(count - drops, 'new match', 'new matches')] : []),
      ...(drops > 0 ? [countedMatches(drops, 'price drop', 'price drops')] : []),
    ];
    return `${what.join(', ')}: ${mail.alertName}`;
  }
  const price = car.price === null ? '' : `, ${dollars(car.price)}`;
  const drop = car.priceBefore === null ? '' : 'price drop, ';
  return oneLine(`${mail.alertName}: ${drop}${oneLine(car.title).slice(0, 120)}${price}`);
}

/** Cars that the preview names. */
const PREVIEWED = 3;

/** What inboxes show beside the subject, which names a single car already. */
function previewOf({ cars, count }: MatchMail): string {
  const [first] = cars;
  if (!first) return '';
  if (count === 1) return `${priceWords(first)} · ${placeWords(first)} · ${factWords(first)}`;
  const named = cars.slice(0, PREVIEWED).map((car) => `${oneLine(car.title).slice(0, 40)} ${priceWords(car)}`);
  const others = count - named.length;
  return [...named, ...(others > 0 ? [`and ${matchCountText(others)} more`] : [])].join(' · ');
}

const floodWords = ({ sent }: Flood): string =>
  `This alert mailed you ${sent.toLocaleString('en-US')} times in the last 24 hours. Would fewer be better?`;

function floodMarkup(flood: Flood): Markup {
  return markup`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px"><tr>
<td class="badge card" style="${style('notice')}">${floodWords(flood)}${gap(12)}${button('One mail a day instead', flood.dailyUrl)}<div style="margin:0 0 -12px">${target('Narrow this alert', flood.narrowUrl)}</div></td></tr></table>`;
}

const floodText = (flood: Flood): string =>
  [floodWords(flood), `One mail a day instead: ${flood.dailyUrl}`, `Narrow this alert: ${flood.narrowUrl}`].join('\n');

/** Gmail cuts off a mail of more than 102 KB; a few hundred bytes are left for what relays change. */
const MAX_BYTES = 101 * 1024;

/** The mail about matches: which alert fired, and each car with why it fits, a button and a way to dismiss it. */
export function matchMail(mail: MatchMail): MailContent {
  const content = render(mail);
  // Only sellers with very long addresses make a mail so long.
  if (Buffer.byteLength(content.html) <= MAX_BYTES || mail.cars.length < 2) return content;
  return matchMail({ ...mail, cars: mail.cars.slice(0, -1) });
}

function render(mail: MatchMail): MailContent {
  const { cars, count, ended, flood, foot } = mail;
  const hasEnded = ended !== undefined && ended.count > 0;
  const hidden = count - cars.length;
  const heading = `${countedMatches(count, 'car', 'cars')} for your ${mail.alertName} alert near ${oneLine(mail.alertPlace)}`;
  const others = cars.filter(({ followed }) => followed);
  const matching = `${count === 1 ? 'It' : 'Each'} matches ${mail.reason}`;
  const reason =
    others.length === 0
      ? `${matching}.`
      : others.length === cars.length
        ? `${count === 1 ? 'It' : 'Each'} got cheaper since you saw it.`
        : `${matching}, or got cheaper since you saw it.`;
  const more = hidden > 0 ? `${countedMatches(hidden, 'more car', 'more cars')} on your alert's page` : null;
  const waited = mail.kind === 'summary' ? waitedWords(mail.heldBy) : null;
  const intro = [reason, waited].filter((words) => words !== null).join(' ');
  const subject = subjectOf(mail);
  const html = layout({
    title: subject,
    preview: previewOf(mail),
    body: markup`<h1 class="ink" style="${style('heading')};padding:0 4px 6px">${heading}</h1>
<div style="padding:0 4px">${paragraph(intro)}</div>${flood === null ? null : floodMarkup(flood)}${cars.map((car) => carMarkup(mail, car))}${more === null ? null : panel(button(more, foot.alertUrl))}${hasEnded ? endedPanel(ended.shown, ended.count) : null}`,
    foot: alertFoot(foot),
  });
  const text = [
    heading,
    intro,
    ...(flood === null ? [] : [floodText(flood)]),
    ...cars.map((car) => carText(mail, car)),
    ...(more === null ? [] : [`${more}: ${foot.alertUrl}`]),
    ...(hasEnded ? [endedText(ended.shown, ended.count)] : []),
    alertFootText(foot),
  ].join('\n\n');
  return { subject, text, html };
}
