import { expect, test } from 'vitest';
import { carsOf, pageUrl, pageWith, recordsOf } from '../../../../test/reading/vehicle-pages.ts';
import type { ListingFacts } from '../../../domain/facts/listing-facts.ts';

/** Snippets of microdata and RDFa Lite as different hands write them. Each is one car. */
const snippets: [hand: string, body: string, facts: Partial<ListingFacts>][] = [
  [
    'microdata in an article, with an offer inside',
    `<article itemscope itemtype="https://schema.org/Car">
       <h2 itemprop="name">2015 Toyota <b>Camry</b> LE</h2>
       <img itemprop="image" src="/photos/1.jpg"><img itemprop="image" src="data:," data-src="/photos/2.jpg">
       <span itemprop="brand" itemscope itemtype="https://schema.org/Brand"><span itemprop="name">Toyota</span></span>
       <meta itemprop="vehicleIdentificationNumber" content="4T1BF1FK5FU000001">
       <div itemprop="mileageFromOdometer" itemscope itemtype="https://schema.org/QuantitativeValue">
         <span itemprop="value">71,400</span> <abbr itemprop="unitCode" content="SMI">mi</abbr></div>
       <div itemprop="offers" itemscope itemtype="https://schema.org/Offer">
         <span itemprop="priceCurrency" content="USD">$</span><span itemprop="price" content="13900.00">13,900</span>
         <link itemprop="availability" href="https://schema.org/InStock"></div>
     </article>`,
    {
      externalId: '4T1BF1FK5FU000001',
      title: '2015 Toyota Camry LE',
      make: 'toyota',
      model: 'camry',
      year: 2015,
      price: 13_900,
      mileageMiles: 71_400,
      images: ['https://dealer.example/photos/1.jpg', 'https://dealer.example/photos/2.jpg'],
    },
  ],
  [
    'itemref to parts of the page that stand elsewhere',
    `<div id="price" itemprop="offers" itemscope itemtype="http://schema.org/Offer">
       <b itemprop="price">$9,995</b></div>
     <div itemscope itemtype="http://schema.org/Vehicle" itemref="price color gone">
       <span itemprop="name">2012 Nissan Altima</span><meta itemprop="sku" content="A-12"></div>
     <p id="color">Colour: <em itemprop="color">Charcoal</em></p>`,
    { externalId: 'A-12', model: 'altima', price: 9995, color: 'gray' },
  ],
  [
    'an item that refers to itself',
    `<div id="a" itemscope itemtype="http://schema.org/Car" itemref="a b"><span itemprop="name">2012 Nissan Altima</span>
       <i id="b" itemprop="offers" itemscope itemref="a b"><i itemprop="price">7000</i></i></div>`,
    { externalId: pageUrl, price: 7000 },
  ],
  [
    'itemid, several types and several names of one property',
    `<div itemscope itemtype="http://schema.org/Product http://schema.org/Car" itemid="/cars/77">
       <span itemprop="name alternateName">2018 GMC Sierra 1500 SLT</span>
       <span itemprop="offers" itemscope itemtype="http://schema.org/Offer"><span itemprop="price">28 500</span></span></div>`,
    { externalId: 'https://dealer.example/cars/77', make: 'gmc', model: 'sierra-1500', price: 28_500 },
  ],
  [
    'data, time, meter and link elements',
    `<main itemscope itemtype="https://schema.org/Car"><a itemprop="url" href="/used/8"><span itemprop="name">2017 Audi A4</span></a>
       <time itemprop="vehicleModelDate" datetime="2017">'17</time><data itemprop="sku" value="S8">stock 8</data>
       <meter itemprop="mileageFromOdometer" value="40100">40.1k</meter>
       <p itemprop="offers" itemscope><data itemprop="price" value="17995">$17,995</data></p></main>`,
    { externalId: 'S8', url: 'https://dealer.example/used/8', year: 2017, mileageMiles: 40_100, price: 17_995 },
  ],
  [
    'HTML that does not close its elements',
    `<ul itemscope itemtype=http://schema.org/Car><li itemprop=name>2009 Honda Civic LX<li itemprop=sku>H1
       <li itemprop=offers itemscope><span itemprop=price>5,400</ul><p>Call us`,
    { externalId: 'H1', title: '2009 Honda Civic LX', price: 5400 },
  ],
  [
    'entities in texts and attributes',
    `<div itemscope itemtype="https://schema.org/Car"><h1 itemprop="name">2014 Chrysler Town &amp; Country &ndash; Touring</h1>
       <meta itemprop="sku" content="T&#38;C"><a itemprop="url" href="/used?a=1&amp;b=2">here</a>
       <p itemprop="offers" itemscope><i itemprop="price" content="&#36;8,900"></i></p></div>`,
    {
      externalId: 'T&C',
      title: '2014 Chrysler Town & Country – Touring',
      model: 'town-country',
      url: 'https://dealer.example/used?a=1&b=2',
      price: 8900,
    },
  ],
  [
    'RDFa Lite',
    `<div vocab="https://schema.org/" typeof="Car" resource="#rdfa">
       <span property="name">2016 Volvo XC60 T5</span> <span property="color">Blue</span>
       <div property="offers" typeof="Offer"><span property="price" content="15900">$15,900</span></div></div>`,
    { externalId: `${pageUrl}#rdfa`, make: 'volvo', model: 'xc60', color: 'blue', price: 15_900 },
  ],
  [
    'microdata that completes the JSON-LD of the same car',
    `<script type="application/ld+json">{"@type":"Car","name":"2016 Acura TLX","vehicleIdentificationNumber":"19UUB1F30GA000001"}</script>
     <div itemscope itemtype="https://schema.org/Car"><b itemprop="name">2016 Acura TLX</b><i itemprop="color">Red</i>
       <p itemprop="offers" itemscope><i itemprop="price">16000</i></p></div>`,
    { externalId: '19UUB1F30GA000001', color: 'red', price: 16_000 },
  ],
];

test.each(snippets)('%s', (_hand, body, facts) => {
  const cars = carsOf(pageWith('', body));
  expect(cars).toHaveLength(1);
  expect(cars[0]).toMatchObject(facts);
});

test.each<[string, string]>([
  ['no markup', '<h1>2015 Toyota Camry</h1> $13,900'],
  ['a dealer', '<div itemscope itemtype="https://schema.org/AutoDealer"><b itemprop="name">North Lot</b></div>'],
  [
    'a car that is reviewed',
    `<div itemscope itemtype="https://schema.org/Review"><div itemprop="itemReviewed" itemscope
       itemtype="https://schema.org/Car"><b itemprop="name">2015 Toyota Camry</b></div></div>`,
  ],
  [
    'a car of another vocabulary',
    '<div itemscope itemtype="https://other.example/Car"><b itemprop="name">2015 Toyota Camry</b></div>',
  ],
  [
    'floor mats',
    `<div itemscope itemtype="https://schema.org/Product"><b itemprop="name">Floor mats, black</b>
       <p itemprop="offers" itemscope><i itemprop="price">89</i></p></div>`,
  ],
])('a page with %s has no car', (_what, body) => {
  expect(recordsOf(pageWith('', body))).toEqual([]);
});
