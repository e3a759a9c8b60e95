import { type Details, drawDetails } from './details.ts';
import { demoId } from './ids.ts';
import { Dice } from './random.ts';
import { carAt, type DemoStream, type Entry, listedAt, type Offer } from './stream.ts';
import { oddTitle, titleOf } from './title.ts';

/** Seeds for separate random sequences, so that one detail doesn't change another. */
const WRITING = 11;
const PHOTOS = 12;
const ODD = 13;
const DETAILS = 14;

const thousands = (amount: number) => amount.toLocaleString('en-US');

function priceFields(amount: number) {
  return {
    formatted_amount: `$${thousands(amount)}`,
    amount: `${amount}.00`,
    amount_with_offset: `${amount}00`,
    currency: 'USD',
  };
}

/** The number of photos; the promised Camry always has some. */
export function photoCount(stream: DemoStream, origin: number, promised: boolean): number {
  const dice = new Dice(stream.seed, origin, PHOTOS);
  return !promised && dice.chance(0.06) ? 0 : dice.whole(2, 6);
}

export function offerTitle(stream: DemoStream, { car, promised, origin }: Offer): string {
  return titleOf(car, promised, new Dice(stream.seed, origin, WRITING));
}

export function offerDetails(stream: DemoStream, offer: Offer): Details {
  const dice = new Dice(stream.seed, offer.origin, DETAILS);
  return drawDetails(offer.car, offerTitle(stream, offer), offer.promised, dice);
}

function offerItem(stream: DemoStream, publicUrl: string, offer: Offer) {
  const { car, position, origin, promised, price, priceBefore, sold } = offer;
  const id = demoId(stream, position);
  const photos = Array.from({ length: photoCount(stream, origin, promised) }, (_, index) => ({
    id: `${id}-${index}`,
    image: { uri: `${publicUrl}/photos/${id}/${index}.svg`, width: 800, height: 600 },
  }));
  const dice = new Dice(stream.seed, origin, ODD);
  const states = (probability: number) => promised || dice.chance(probability);
  const statesMileage = states(0.93);
  const { vin, description, fuel, drive, titleStatus, seller } = offerDetails(stream, offer);
  // Some sellers type a fantasy price such as 1234.
  const asked = !promised && !priceBefore && dice.chance(0.03) ? dice.pick([1, 1234, 12_345] as const) : price;
  return {
    __typename: 'GroupCommerceProductItem',
    id,
    marketplace_listing_title: offerTitle(stream, offer),
    custom_sub_titles_with_rendering_flags: statesMileage
      ? [{ subtitle: `${Math.max(1, Math.round(car.mileage / 1000))}K miles` }]
      : [],
    listing_price: priceFields(asked),
    strikethrough_price: priceBefore === null ? null : priceFields(priceBefore),
    location: {
      latitude: car.lat,
      longitude: car.lng,
      reverse_geocode: { city: car.place.city, state: car.place.state },
    },
    primary_listing_photo: photos[0] ?? null,
    listing_photos: photos,
    creation_time: Math.floor(listedAt(stream, position).getTime() / 1000),
    condition: 'USED',
    vehicle_condition: states(0.7) ? car.condition : null,
    vehicle_exterior_color: states(0.8) ? car.color : null,
    vehicle_transmission_type: states(0.85) ? (car.manual ? 'MANUAL' : 'AUTOMATIC') : null,
    vehicle_odometer_data: statesMileage ? { unit: 'MILES', value: car.mileage } : null,
    vehicle_identification_number: vin,
    vehicle_fuel_type: fuel,
    vehicle_drivetrain: drive,
    vehicle_title_status: titleStatus,
    vehicle_seller_type: seller,
    redacted_description: description === null ? null : { text: description },
    vehicle_make_display_name: states(0.6) ? car.makeLabel : null,
    vehicle_model_display_name: null,
    is_live: !sold,
    is_pending: false,
    is_sold: sold,
    is_hidden: false,
    url: `${publicUrl}/listing/${id}`,
  };
}

export type DemoItem = Partial<ReturnType<typeof offerItem>>;

function badItem(stream: DemoStream, publicUrl: string, position: number): DemoItem {
  const dice = new Dice(stream.seed, position, ODD);
  const car = carAt(stream, position);
  const offer = { position, origin: position, promised: false, car, price: car.price, priceBefore: null, sold: false };
  // No photo and no page, as only cars are drawn.
  const item = {
    ...offerItem(stream, publicUrl, offer),
    primary_listing_photo: null,
    listing_photos: [],
    // It would be the id of an item that has none.
    vehicle_identification_number: null,
    url: `${publicUrl}/`,
  };
  const fault = dice.pick(['odd', 'odd', 'odd', 'no id', 'absurd price'] as const);
  if (fault === 'no id') {
    return { ...item, id: undefined };
  }
  if (fault === 'absurd price') return { ...item, listing_price: priceFields(987_654_321_000) };
  return {
    ...item,
    marketplace_listing_title: oddTitle(dice),
    custom_sub_titles_with_rendering_flags: [],
    listing_price: priceFields(dice.whole(2, 90) * 10),
    vehicle_odometer_data: null,
    vehicle_make_display_name: null,
    vehicle_transmission_type: null,
  };
}

/** An entry of the list as the marketplace returns it. @param publicUrl the address of photos and listing pages */
export function demoItem(stream: DemoStream, publicUrl: string, entry: Entry): DemoItem {
  return entry.kind === 'offer'
    ? offerItem(stream, publicUrl, entry.offer)
    : badItem(stream, publicUrl, entry.position);
}
