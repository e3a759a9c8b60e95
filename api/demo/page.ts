import { contentPolicy, styleSource } from '../src/base/content-policy.ts';
import { demoId } from './ids.ts';
import { offerDetails, offerTitle, photoCount } from './item.ts';
import { type DemoStream, listedAt, type Offer } from './stream.ts';

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
const dollars = (amount: number) => `$${amount.toLocaleString('en-US')}`;

const style = `
:root{color-scheme:light dark;--bg:#F7F6F2;--panel:#FFF;--sunk:#EFEDE6;--ink:#12201F;--muted:#56645F;--line:#DEDBD1;--brand:#0B5D57;--soft:#FDF0D2;--on:#5F3D00}
@media(prefers-color-scheme:dark){:root{--bg:#0C1413;--panel:#131E1D;--sunk:#0F1918;--ink:#E9F0EE;--muted:#9DB0AB;--line:#243331;--brand:#57C9BC;--soft:#33270D;--on:#FFD995}}
*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.55 Inter,system-ui,sans-serif;font-variant-numeric:tabular-nums}
a{color:var(--brand)}a:focus-visible{outline:2px solid var(--brand);outline-offset:2px;border-radius:6px}
.note{background:var(--soft);color:var(--on);padding:10px 20px;text-align:center;font-size:14px}
main{max-width:1080px;margin:0 auto;padding:28px 20px 56px}
h1{font-size:30px;line-height:1.2;letter-spacing:-.02em;margin:4px 0 6px}
.price{font-size:30px;font-weight:650;letter-spacing:-.02em}.price s{font-size:19px;font-weight:400;color:var(--muted);margin-left:8px}
.muted{color:var(--muted)}.panel{background:var(--panel);border:1px solid var(--line);border-radius:18px;padding:20px;margin-top:20px}
.two{display:grid;gap:28px;grid-template-columns:minmax(0,3fr) minmax(0,2fr);margin-top:16px}
.cards{display:grid;gap:20px;grid-template-columns:repeat(auto-fill,minmax(220px,1fr));list-style:none;padding:0;margin:24px 0}
.cards a{display:block;color:inherit;text-decoration:none;background:var(--panel);border:1px solid var(--line);border-radius:18px;padding:12px;height:100%}
.cards b{display:block;margin-top:8px;font-weight:600}.cards .price{font-size:19px}
.none{display:grid;place-items:center;aspect-ratio:4/3;border-radius:12px;background:var(--sunk);color:var(--muted)}
img{display:block;width:100%;aspect-ratio:4/3;object-fit:cover;border-radius:12px;background:var(--sunk)}
.small{display:grid;grid-template-columns:repeat(4,1fr);gap:8px;margin-top:8px}
dl{display:grid;grid-template-columns:auto 1fr;gap:6px 20px;margin:0}dt{color:var(--muted)}dd{margin:0}
@media(max-width:720px){.two{grid-template-columns:1fr}h1{font-size:22px}}`;

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><title>${escaped(title)}</title><style>${style}</style></head>
<body><div class="note">Demo marketplace: LotWatch made these cars up. Nobody sells them.</div><main>${body}</main></body></html>`;
}

/** The content security policy of every page: its style, and the marketplace's own photos. */
export const pagePolicy = contentPolicy({ 'style-src': [styleSource(style)], 'img-src': ["'self'"] });

const photo = (base: string, id: string, n: number) => `${base}/photos/${id}/${n}.svg`;

function card(stream: DemoStream, base: string, offer: Offer): string {
  const { car, position, origin, promised, price } = offer;
  const id = demoId(stream, position);
  const picture =
    photoCount(stream, origin, promised) > 0
      ? `<img src="${photo(base, id, 0)}" alt="" loading="lazy">`
      : '<div class="none">No photo</div>';
  return `<li><a href="${base}/listing/${id}">${picture}<b>${escaped(offerTitle(stream, offer))}</b>
<span class="price">${dollars(price)}</span><br><span class="muted">${escaped(`${car.place.city}, ${car.place.state}`)}</span></a></li>`;
}

/** The marketplace's home: its newest cars. @param base path before the marketplace's own */
export function homePage(stream: DemoStream, base: string, offers: readonly Offer[]): string {
  return page(
    'Demo marketplace',
    `<h1>Demo marketplace</h1><p class="muted">The newest cars. New ones come in all the time; reload to see them.</p>
<ul class="cards">${offers.map((offer) => card(stream, base, offer)).join('')}</ul>`,
  );
}

/** The page of one listing. */
export function listingPage(stream: DemoStream, base: string, offer: Offer): string {
  const { car, position, origin, promised, price, priceBefore, sold } = offer;
  const id = demoId(stream, position);
  const count = photoCount(stream, origin, promised);
  const title = offerTitle(stream, offer);
  const { vin, description, titleStatus } = offerDetails(stream, offer);
  const facts: [string, string][] = [
    ['Year', String(car.year)],
    ['Mileage', `${car.mileage.toLocaleString('en-US')} miles`],
    ['Transmission', car.manual ? 'Manual' : 'Automatic'],
    ['Color', capitalised(car.color)],
    ...(titleStatus === null ? [] : [['Title', capitalised(titleStatus)] as [string, string]]),
    ...(vin === null ? [] : [['VIN', vin] as [string, string]]),
    ['Location', `${car.place.city}, ${car.place.state}`],
    ['Listed', `${listedAt(stream, position).toISOString().replace('T', ' ').slice(0, 19)} UTC`],
  ];
  const others = Array.from({ length: Math.max(0, count - 1) }, (_, index) => index + 1);
  return page(
    title,
    `<a href="${base}/">Demo marketplace</a><div class="two"><div>
${count > 0 ? `<img src="${photo(base, id, 0)}" alt="Drawing of the car">` : '<p class="muted">The seller added no photo.</p>'}
<div class="small">${others.map((n) => `<img src="${photo(base, id, n)}" alt="" loading="lazy">`).join('')}</div></div>
<div><h1>${escaped(title)}</h1><div class="price">${dollars(price)}${priceBefore === null ? '' : `<s>${dollars(priceBefore)}</s>`}</div>
${sold ? '<p><strong>Sold</strong></p>' : ''}
<div class="panel"><dl>${facts.map(([name, value]) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`).join('')}</dl>${description === null ? '' : `<p>${escaped(description)}</p>`}</div>
<p class="muted">This is a demo car. There is no seller to write to.</p></div></div>`,
  );
}

export function missingPage(base: string): string {
  return page('Demo listing not found', `<h1>No such demo car</h1><p><a href="${base}/">Demo marketplace</a></p>`);
}
