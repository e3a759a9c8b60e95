import { describe, expect, it } from 'vitest';
import type { World } from './world.ts';

interface ListedCar {
  id: number;
  alertIds: number[];
}

export function listings(of: () => World): void {
  describe('a listing', () => {
    it('is shown with its facts to a buyer whose alert it matches', async () => {
      const { ana, ben, alertOfAna, alertOfBen, carOfBen, unmatchedCar, succeed } = of();
      const recent: ListedCar[] = (await succeed('GET /api/listings/recent', { as: ben })).body;
      const ids = recent.map(({ id }) => id);
      expect(ids).toContain(carOfBen);
      expect(ids).not.toContain(unmatchedCar);
      expect(new Set(ids).size).toBe(ids.length);
      expect(recent.find(({ id }) => id === carOfBen)).toMatchObject({
        title: '2018 Toyota Camry SE',
        price: 15_400,
        make: 'toyota',
        model: 'camry',
        year: 2018,
        color: 'silver',
        transmission: 'automatic',
        condition: 'used',
        location: { reverse_geocode: { city: 'Pasadena', state: 'CA' } },
        distance: 12.3,
        status: 'for_sale',
        isNew: true,
        viewed: false,
        alertIds: [alertOfBen],
        createdAt: '2026-01-01T12:00:00.000Z',
      });
      const bare = recent.find((car) => car.id !== carOfBen && 'price' in car && car.price === null);
      expect(bare).toMatchObject({ price: null, imageUrl: null, location: null });
      const ofAlert: ListedCar[] = (await succeed('GET /api/listings', { as: ben, query: `alertId=${alertOfBen}` }))
        .body;
      expect(ofAlert.map(({ id }) => id).sort()).toEqual([...ids].sort());
      const query = `alertId=${alertOfBen}&sort=price&only=new`;
      expect((await succeed('GET /api/listings', { as: ben, query })).body.at(-1)).toEqual(bare);
      expect((await succeed('GET /api/listings/recent', { as: ana })).body).toEqual([]);
      expect((await succeed('GET /api/listings', { as: ana, query: `alertId=${alertOfAna}` })).body).toEqual([]);
    });

    it('comes in pages, each with a link to the next', async () => {
      const { ben, alertOfBen, succeed } = of();
      const ids: number[] = [];
      let query = `alertId=${alertOfBen}&first=2`;
      for (let pages = 0; query !== '' && pages < 9; pages += 1) {
        const { body, headers } = await succeed('GET /api/listings', { as: ben, query });
        expect(body.length).toBeLessThanOrEqual(2);
        ids.push(...body.map(({ id }: ListedCar) => id));
        query = /^<[^?>]*\?([^>]*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? '';
      }
      const all: ListedCar[] = (await succeed('GET /api/listings', { as: ben, query: `alertId=${alertOfBen}` })).body;
      expect(ids).toEqual(all.map(({ id }) => id));
      expect(ids.length).toBeGreaterThan(2);
    });

    it('is refused after a cursor of another server', async () => {
      const { ben, alertOfBen, refuse } = of();
      const after = Buffer.from('4398046511876.1.1.5').toString('base64url');
      await refuse('CONFLICT', 'GET /api/listings', { as: ben, query: `alertId=${alertOfBen}&after=${after}` });
    });

    it('accepts the examples of the description as parameters', async () => {
      const { ben, alertOfBen, description, succeed } = of();
      const call = description.operations.find(({ name }) => name === 'GET /api/listings');
      const parameters =
        call?.parameters.filter((parameter) => parameter.in === 'query' && parameter.name !== 'alertId') ?? [];
      const examples = parameters.map(({ name, example }) => `&${name}=${example}`);
      await succeed('GET /api/listings', { as: ben, query: `alertId=${alertOfBen}${examples.join('')}` });
    });

    it('needs the id of an own alert', async () => {
      const { ben, refuse, send } = of();
      for (const query of ['', 'alertId=', 'other=1'])
        await refuse('VALIDATION', 'GET /api/listings', { as: ben, query });
      for (const id of ['abc', '0', '-1', '1.5', '999999999', '99999999999999999999', '%00']) {
        await refuse('NOT_FOUND', 'GET /api/listings', { as: ben, query: `alertId=${id}` });
      }
      const twice = await send('GET /api/listings', { as: ben, query: 'alertId=1&alertId=2', direct: true });
      expect([400, 404]).toContain(twice.status);
    });

    it('give what their sellers wrote to a buyer whose alert they match', async () => {
      const { api, ana, ben, carOfBen, unmatchedCar, succeed, refuse } = of();
      const { body } = await succeed('GET /api/listings/{id}/text', { as: ben, id: carOfBen });
      expect(body.factsRead).toContainEqual({ fact: 'mileage', value: expect.any(String), from: 'field', words: null });
      await api.db.pool.query(
        `insert into listing_texts (listing_id, description) values ($1, 'One owner, VIN 1HGCM82633A004352')
         on conflict (listing_id) do update set description = excluded.description`,
        [carOfBen],
      );
      const masked = await succeed('GET /api/listings/{id}/text', { as: ben, id: carOfBen });
      expect(masked.body.description).toBe('One owner, VIN 1HG••••••••••4352');
      await refuse('NOT_FOUND', 'GET /api/listings/{id}/text', { as: ana, id: carOfBen });
      await refuse('NOT_FOUND', 'GET /api/listings/{id}/text', { as: ben, id: unmatchedCar });
    });

    it('can be marked as viewed by a buyer whose alert it matches', async () => {
      const { ana, ben, carOfBen, unmatchedCar, succeed, refuse } = of();
      for (let times = 0; times < 2; times += 1)
        await succeed('PATCH /api/listings/{id}/view', { as: ben, id: carOfBen });
      const cars: ListedCar[] = (await succeed('GET /api/listings/recent', { as: ben })).body;
      expect(cars.find(({ id }) => id === carOfBen)).toMatchObject({ viewed: true, isNew: false });
      await refuse('NOT_FOUND', 'PATCH /api/listings/{id}/view', { as: ana, id: carOfBen });
      await refuse('NOT_FOUND', 'PATCH /api/listings/{id}/view', { as: ben, id: unmatchedCar });
    });
  });
}
