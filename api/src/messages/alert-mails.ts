import {
  button,
  counted,
  layout,
  link,
  type MailContent,
  type Markup,
  markup,
  oneLine,
  panel,
  paragraph,
  styles,
  webAddress,
} from './mail-layout.ts';

/** The links at the end of every mail about an alert; they are signed and need no login. */
export interface AlertFoot {
  alertName: string;
  alertUrl: string;
  renewUrl: string;
  pauseUrl: string;
  unsubscribeUrl: string;
  /** 'Jan 2, 2027' in the buyer's time zone. */
  expiresOn: string;
  ended: boolean;
}

function why(foot: AlertFoot): string {
  return foot.ended ? `It ended on ${foot.expiresOn}.` : `It watches until ${foot.expiresOn}.`;
}

/** A link of the small print, with enough padding for touch. */
const target = (label: string, address: string) =>
  markup`<a class="link" href="${address}" style="${{ markup: styles.link }};display:inline-block;padding:12px 18px 12px 0">${label}</a>`;

/** Why the mail was sent, until when the alert runs, and the links to change both. */
function alertFoot(foot: AlertFoot): Markup[] {
  return [
    markup`You get this mail because of your alert ${link(foot.alertName, foot.alertUrl)}. ${why(foot)}`,
    markup`${target('Renew for 42 days', foot.renewUrl)}${target('Pause this alert', foot.pauseUrl)}${target('Unsubscribe', foot.unsubscribeUrl)}`,
  ];
}

function alertFootText(foot: AlertFoot): string {
  return [
    '--',
    `You get this mail because of your alert ${foot.alertName}. ${why(foot)}`,
    `All matches: ${foot.alertUrl}`,
    `Renew for 42 days: ${foot.renewUrl}`,
    `Pause this alert: ${foot.pauseUrl}`,
    `Unsubscribe: ${foot.unsubscribeUrl}`,
    '',
  ].join('\n');
}

export interface AlertMail {
  /** 'Toyota Camry' */
  alertName: string;
  /** 'Los Angeles, CA' */
  alertPlace: string;
  /** 'Toyota Camry, 2015–2020, within 50 mi' */
  reason: string;
  foot: AlertFoot;
}

interface Words {
  subject: string;
  heading: string;
  paragraphs: readonly string[];
  label: string;
  address: string;
}

function compose(words: Words, foot: AlertFoot): MailContent {
  const html = layout({
    title: words.subject,
    preview: words.paragraphs[0] ?? '',
    body: panel(markup`<h1 class="ink" style="${{ markup: styles.heading }};padding:0 0 12px">${words.heading}</h1>
${words.paragraphs.map(paragraph)}${button(words.label, words.address)}`),
    foot: alertFoot(foot),
  });
  const text = [words.heading, ...words.paragraphs, `${words.label}: ${words.address}`, alertFootText(foot)].join(
    '\n\n',
  );
  return { subject: words.subject, text, html };
}

/** For 'Send Test Notification'. */
export function testMail({ alertName, alertPlace, reason, foot }: AlertMail): MailContent {
  return compose(
    {
      subject: `Test: ${alertName} alert`,
      heading: 'This is a test',
      paragraphs: [
        `Mails of your ${alertName} alert near ${alertPlace} reach you.`,
        `A real one comes when a car matches ${reason}.`,
      ],
      label: 'Open the alert',
      address: foot.alertUrl,
    },
    foot,
  );
}

/** Three days before an alert ends. */
export function reminderMail({ alertName, alertPlace, foot }: AlertMail): MailContent {
  return compose(
    {
      subject: `Your ${alertName} alert ends on ${foot.expiresOn}`,
      heading: `Still looking for your ${alertName}?`,
      paragraphs: [
        `Your ${alertName} alert near ${alertPlace} ends on ${foot.expiresOn}. Renew it, and it watches for 42 more days.`,
      ],
      label: 'Renew for 42 days',
      address: foot.renewUrl,
    },
    foot,
  );
}

/** When an alert has ended. */
export function expiredMail({ alertName, alertPlace, foot }: AlertMail): MailContent {
  return compose(
    {
      subject: `Your ${alertName} alert has ended`,
      heading: `Your ${alertName} alert has ended`,
      paragraphs: [
        `Your ${alertName} alert near ${alertPlace} ended on ${foot.expiresOn} and no longer watches.`,
        'If you are still looking, renew it: it starts again at once.',
      ],
      label: 'Renew for 42 days',
      address: foot.renewUrl,
    },
    foot,
  );
}

export interface MailCar {
  title: string;
  /** Whole US dollars; null when not stated. */
  price: number | null;
  /** The former price, after a price drop. */
  priceBefore: number | null;
  photo: string | null;
  /** The listing's own page, else the marketplace's home. */
  href: string;
  mileage: number | null;
  transmission: string | null;
  color: string | null;
  /** 'Pasadena, CA' */
  place: string | null;
  distanceMiles: number;
  /** Facts that the alert asks for and the seller does not state, such as 'color'. */
  notStated: readonly string[];
}

export interface MatchMail {
  /** 'Toyota Camry' */
  alertName: string;
  /** 'Los Angeles, CA' */
  alertPlace: string;
  /** 'Toyota Camry, 2015–2020, within 50 mi' */
  reason: string;
  /** 'match', 'price_drop', 'digest' or 'summary'. */
  kind: string;
  /** The cars that the mail shows; the others are on the alert's page. */
  cars: readonly MailCar[];
  /** How many cars the mail is about. */
  count: number;
  foot: AlertFoot;
}

const dollars = (price: number) => `$${price.toLocaleString('en-US')}`;
const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const style = (name: keyof typeof styles) => ({ markup: styles[name] });

function priceWords(car: MailCar): string {
  return car.price === null ? 'Price not stated' : dollars(car.price);
}

/** 'mileage · transmission · color', without those that are not stated. */
function factWords(car: MailCar): string {
  const facts = [
    car.mileage === null ? null : counted(car.mileage, 'mile', 'miles'),
    car.transmission === null ? null : capitalised(car.transmission),
    car.color === null ? null : capitalised(car.color),
  ];
  return facts.filter((fact) => fact !== null).join(' · ');
}

function placeWords(car: MailCar): string {
  const miles = car.distanceMiles < 10 ? Math.round(car.distanceMiles * 10) / 10 : Math.round(car.distanceMiles);
  const away = `${miles} mi away`;
  return car.place === null ? away : `${oneLine(car.place)} · ${away}`;
}

function reasonLine(mail: MatchMail, car: MailCar): string {
  const missing = car.notStated.length > 0 ? ` (not stated: ${car.notStated.join(', ')})` : '';
  return `matches ${mail.reason}${missing}`;
}

function carMarkup(mail: MatchMail, car: MailCar): Markup {
  const title = oneLine(car.title);
  const photo = webAddress(car.photo);
  const facts = factWords(car);
  const href = webAddress(car.href) ?? mail.foot.alertUrl;
  return panel(markup`${
    photo === null
      ? null
      : markup`<a href="${href}"><img src="${photo}" alt="${`Photo: ${title}`}" width="558" style="display:block;width:100%;height:auto;max-height:420px;object-fit:cover;border-radius:12px"></a><div style="height:16px;line-height:16px">&nbsp;</div>`
  }${car.priceBefore === null ? null : markup`<p style="margin:0 0 6px"><span class="badge" style="${style('badge')}">Price drop from ${dollars(car.priceBefore)}</span></p>`}
<p class="${car.price === null ? 'muted' : 'ink'}" style="${style(car.price === null ? 'muted' : 'price')}">${priceWords(car)}</p>
<h2 class="ink" style="${style('title')};padding:2px 0 6px">${title}</h2>
${facts === '' ? null : markup`<p class="muted" style="${style('muted')}">${facts}</p>`}
<p class="muted" style="${style('muted')}">${placeWords(car)}</p>
<p style="margin:12px 0 16px"><span class="chip" style="${style('chip')}">${reasonLine(mail, car)}</span></p>
${button('View on Marketplace', href)}`);
}

function carText(mail: MatchMail, car: MailCar): string {
  const before = car.priceBefore === null ? '' : ` (price drop from ${dollars(car.priceBefore)})`;
  const lines = [
    oneLine(car.title),
    `${priceWords(car)}${before}`,
    factWords(car),
    placeWords(car),
    reasonLine(mail, car),
    `View on Marketplace: ${webAddress(car.href) ?? mail.foot.alertUrl}`,
  ];
  return lines.filter((line) => line !== '').join('\n');
}

/** 'Toyota Camry: 2018 Toyota Camry SE, $15,400' or '3 new matches: Toyota Camry'. */
function subject(mail: MatchMail): string {
  const [car] = mail.cars;
  if (!car || mail.count > 1) {
    const drops = mail.count === mail.cars.length && mail.cars.every(({ priceBefore }) => priceBefore !== null);
    const what = drops
      ? counted(mail.count, 'price drop', 'price drops')
      : counted(mail.count, 'new match', 'new matches');
    return `${what}: ${mail.alertName}`;
  }
  const price = car.price === null ? '' : `, ${dollars(car.price)}`;
  const drop = car.priceBefore === null ? '' : 'price drop, ';
  return oneLine(`${mail.alertName}: ${drop}${oneLine(car.title).slice(0, 120)}${price}`);
}

/** The mail about matches: the cars, each with a button. */
export function matchMail(mail: MatchMail): MailContent {
  const shown = mail.cars;
  const hidden = mail.count - shown.length;
  const heading = `${counted(mail.count, 'car', 'cars')} for your ${mail.alertName} alert near ${oneLine(mail.alertPlace)}`;
  const more = hidden > 0 ? `${counted(hidden, 'more car', 'more cars')} on your alert's page` : null;
  const waited = mail.kind === 'summary' ? 'They waited, as you asked, and come together now.' : null;
  const first = shown[0];
  const html = layout({
    title: subject(mail),
    preview: first ? `${priceWords(first)} · ${placeWords(first)}` : heading,
    body: markup`<h1 class="ink" style="${style('heading')};padding:0 4px 16px">${heading}</h1>
${waited === null ? null : paragraph(waited)}${shown.map((car) => carMarkup(mail, car))}${more === null ? null : panel(button(more, mail.foot.alertUrl))}`,
    foot: alertFoot(mail.foot),
  });
  const text = [
    heading,
    ...(waited === null ? [] : [waited]),
    ...shown.map((car) => carText(mail, car)),
    ...(more === null ? [] : [`${more}: ${mail.foot.alertUrl}`]),
    alertFootText(mail.foot),
  ].join('\n\n');
  return { subject: subject(mail), text, html };
}
