import { expect, test } from 'vitest';
import { gazetteer, now } from '../../../test/reading/marketplace-items.ts';
import { readVehicleFeed } from './read-feed.ts';

/** Headers of public generators of Meta's feed, as they write them. */
const headers = {
  dealerOn:
    'vehicle_id,title,description,url,make,model,year,mileage.value,mileage.unit,image[0].url,image[1].url,price,exterior_color,state_of_vehicle,address.addr1,address.city,address.region,address.postal_code,address.country,latitude,longitude,availability,custom_label_0,body_style,vin',
  oneCell:
    'vehicle_id,title,description,url,make,model,year,mileage.value,mileage.unit,price,state_of_vehicle,availability,body_style,exterior_color,transmission,fuel_type,image,address',
  withTrim:
    'vehicle_id,title,description,url,image[0].url,image[1].url,make,model,year,trim,mileage.value,mileage.unit,price,state_of_vehicle,exterior_color,transmission,body_style,vin,condition,availability,address.addr1,address.city,address.region,address.postal_code,address.country,dealer_name',
  street:
    'vehicle_id,make,model,year,vin,mileage.value,mileage.unit,body_style,title,description,price,image[0].url,url,availability,fuel_type,transmission,exterior_color,state_of_vehicle,address.street,address.city,address.region,address.country,address.postal_code',
  underscores:
    'vehicle_id,description,vin,make,model,year,body_style,price,mileage_value,state_of_vehicle,exterior_color,url,image_url',
  paidAds:
    'id,Description,URL,link,title,body_style,mileage.unit,mileage.value,price,sale_price,address.addr1,address.addr2,address.addr3,address.city,address.city_id,address.region,address.postal_code,address.country,address.unit_number,latitude,longitude,neighborhood[0],condition,brand,model',
};

const photo = 'https://dealer.example/1.jpg';
const cells: Record<string, string> = {
  ...{
    vehicle_id: 'k1',
    id: 'k1',
    title: '2019 Honda Civic EX',
    make: 'Honda',
    brand: 'Honda',
    model: 'Civic',
    year: '2019',
  },
  ...{ description: 'Clean, one "owner"', url: 'https://dealer.example/k1', link: 'https://dealer.example/other' },
  ...{
    'mileage.value': '40000',
    mileage_value: '40000',
    'mileage.unit': 'MI',
    price: '15500.00 USD',
    sale_price: '14900 USD',
  },
  ...{
    'image[0].url': photo,
    image: photo,
    image_url: photo,
    exterior_color: 'Blue',
    transmission: 'Automatic',
    trim: 'EX',
  },
  ...{ 'address.addr1': '1 Main St', 'address.street': '1 Main St', 'address.city': 'Miami', 'address.region': 'FL' },
  ...{ 'address.postal_code': '33101', 'address.country': 'US', address: '{city: "Miami", region: "FL"}' },
  ...{ state_of_vehicle: 'Used', condition: 'GOOD', availability: 'In stock', body_style: 'SEDAN' },
};

const quoted = (cell: string) => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

test.each(Object.entries(headers))('a feed with the header of %s says all that it states', async (_, header) => {
  const names = header.split(',');
  const row = names.map((name) => quoted(cells[name.toLowerCase()] ?? ''));
  async function* text() {
    yield `${header}\n${row.join(',')}\n`;
  }
  const records = [];
  for await (const record of readVehicleFeed({ text, contentType: 'text/csv', name: '' }, { gazetteer, now }))
    records.push(record);
  const has = (...some: string[]) => some.some((name) => names.includes(name));
  expect(records).toEqual([
    {
      facts: expect.objectContaining({
        ...{ externalId: 'k1', make: 'honda', model: 'civic', year: has('year', 'title') ? 2019 : null },
        ...{ price: has('sale_price') ? 14_900 : 15_500, mileageMiles: 40_000, url: 'https://dealer.example/k1' },
        images: has('image[0].url', 'image', 'image_url') ? [photo] : [],
        city: has('address', 'address.city') ? 'Miami' : null,
        state: has('address', 'address.city') ? 'FL' : null,
        color: has('exterior_color') ? 'blue' : null,
        transmission: has('transmission') ? 'automatic' : null,
        condition: has('condition') ? 'Good' : 'Used',
        status: 'for_sale',
      }),
    },
  ]);
});
