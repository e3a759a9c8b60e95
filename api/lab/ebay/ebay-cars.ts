/** A car as the described server has it. `bid` is an auction's; without `price` it can't be bought at once. */
export interface EbayCar {
  id: number;
  title: string;
  price?: string;
  currency?: string;
  bid?: string;
  listedAt: Date;
  city: string;
  state: string;
  zip: string;
  lat: number;
  lng: number;
  aspects: Record<string, string>;
}

const places = [
  { city: 'Austin', state: 'Texas', zip: '78701', lat: 30.27, lng: -97.74 },
  { city: 'Dallas', state: 'Texas', zip: '75201', lat: 32.79, lng: -96.8 },
  { city: 'Columbus', state: 'Ohio', zip: '43215', lat: 39.97, lng: -83 },
  { city: 'Denver', state: 'Colorado', zip: '80202', lat: 39.75, lng: -105 },
  { city: 'Sacramento', state: 'California', zip: '95814', lat: 38.58, lng: -121.49 },
  { city: 'Tampa', state: 'Florida', zip: '33602', lat: 27.95, lng: -82.46 },
] as const;

const models = [
  ['Toyota', 'Camry', 'SE', 'Sedan', 'FWD', 'Gasoline', '14500.00'],
  ['Honda', 'Civic', 'EX', 'Sedan', 'FWD', 'Gasoline', '12900.00'],
  ['Ford', 'F-150', 'XLT', 'Pickup Truck', '4WD', 'Gasoline', '27800.00'],
  ['Subaru', 'Outback', 'Limited', 'Wagon', 'AWD', 'Gasoline', '18400.00'],
  ['Toyota', 'Prius', 'Three', 'Hatchback', 'FWD', 'Hybrid', '13200.00'],
  ['Chevrolet', 'Corvette', 'Stingray', 'Coupe', 'RWD', 'Gasoline', '51900.00'],
  ['Jeep', 'Wrangler', 'Sahara', 'SUV', '4WD', 'Gasoline', '29900.00'],
] as const;

const colors = ['Black', 'White', 'Silver', 'Blue', 'Red'] as const;

const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

/** One car, always the same for a number. Its year, trim, mileage and title status differ from number to number. */
export function ebayCar(id: number, listedAt: Date): EbayCar {
  const [make, model, trim, body, drive, fuel, price] = at(models, id);
  const year = 2008 + (id % 15);
  return {
    id,
    title: `${year} ${make} ${model} ${trim}`,
    price,
    listedAt,
    ...at(places, Math.floor(id / models.length) + id),
    aspects: {
      Year: String(year),
      Make: make,
      Model: model,
      Trim: trim,
      Mileage: String(20_000 + ((id * 7919) % 120_000)),
      'Body Type': body,
      'Drive Type': drive,
      'Fuel Type': fuel,
      'Exterior Color': at(colors, id),
      Transmission: id % 9 === 0 ? 'Manual' : 'Automatic',
      'Vehicle Title': id % 11 === 0 ? 'Rebuilt, Rebuildable & Reconstructed' : 'Clean',
      'For Sale By': id % 2 === 0 ? 'Private Seller' : 'Dealer',
    },
  };
}

/** Cars that were listed one minute after the other, newest first. */
export const ebayCars = (count: number, newest: Date): EbayCar[] =>
  Array.from({ length: count }, (_, index) => ebayCar(count - index, new Date(newest.getTime() - index * 60_000)));
