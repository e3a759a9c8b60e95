import { describe, expect, it } from 'vitest';
import { validBodies } from './rows.ts';
import type { Person, World } from './world.ts';

const camry = validBodies['POST /api/alerts'] ?? {};
const LIMIT =
  "You've reached the maximum number of alerts for your subscription plan. Please upgrade to create more alerts.";
const SMS = 'SMS notifications are only available with paid subscription plans. Please upgrade to enable this feature.';
const CROSSED = 'The minimum is above the maximum.';
const anyText = expect.stringMatching(/\S/);

export function alerts(of: () => World): void {
  const create = async (as: Person, more: object = {}) =>
    (await of().succeed('POST /api/alerts', { as, body: { ...camry, ...more } })).body;

  describe('an alert', () => {
    it('is created with the given criteria, and without limits that were not given', async () => {
      const { ben, succeed } = of();
      const made = await create(ben, { yearMin: '', yearMax: null, color: null, priceMax: '', shoe: 42 });
      expect(made).toMatchObject({
        ...camry,
        place: 'Los Angeles, CA',
        yearMin: null,
        yearMax: null,
        priceMin: null,
        priceMax: null,
        color: 'any',
        onlyWithImages: true,
        emailNotifications: true,
        textNotifications: false,
        pushNotifications: false,
        isActive: true,
        daysRemaining: 42,
        matchCount: 0,
      });
      expect((await succeed('GET /api/alerts/{id}', { as: ben, id: made.id })).body).toEqual(made);
      const mine = (await succeed('GET /api/alerts/user', { as: ben })).body;
      expect(mine).toContainEqual(made);
      expect(mine.map(({ id }: { id: number }) => id)).not.toContain(of().alertOfAna);
      const zip = {
        location: '10001',
        radius: 5,
        color: 'any',
        model: '',
        onlyWithImages: false,
        textNotifications: true,
        pushNotifications: true,
      };
      const full = { ...zip, yearMin: 2010, yearMax: 2020, priceMin: 0, priceMax: 50_000, emailNotifications: false };
      expect(await create(ben, full)).toMatchObject({ ...full, model: null, place: 'New York, NY' });
    });

    it('is changed: absent fields stay, null and "" clear', async () => {
      const { ben, succeed } = of();
      const { id, ...before } = await create(ben, { yearMin: 2010, priceMax: 20_000, color: 'red' });
      const patch = async (body: object) => (await succeed('PATCH /api/alerts/{id}', { as: ben, id, body })).body;
      expect(await patch({ isActive: false })).toEqual({ ...before, id, isActive: false });
      const snoozedUntil = new Date(Date.now() + 86_400_000).toISOString();
      expect(await patch({ isActive: true, snoozedUntil })).toMatchObject({ isActive: true, yearMin: 2010 });
      expect(await patch({ yearMin: null, priceMax: '', color: 'any', model: '' })).toMatchObject({
        yearMin: null,
        priceMax: null,
        color: 'any',
        model: null,
        make: 'toyota',
      });
      expect(await patch({ make: 'honda', model: 'accord', location: 'Austin', radius: 100 })).toMatchObject({
        make: 'honda',
        model: 'accord',
        location: 'Austin',
        place: 'Austin, TX',
        radius: 100,
      });
      expect(await patch({})).toMatchObject({ make: 'honda', snoozedUntil });
      expect(await patch({ snoozedUntil: '' })).toMatchObject({ snoozedUntil: null });
      for (const [field, text] of Object.entries({
        make: 'Car make is required',
        location: 'Location is required',
        radius: 'Distance radius is required',
      })) {
        for (const cleared of [null, '']) {
          const body = { [field]: cleared };
          const reply = await of().refuse('VALIDATION', 'PATCH /api/alerts/{id}', { as: ben, id, body });
          expect(reply.body.fields).toEqual({ [field]: text });
        }
      }
      const text = { as: of().ana, id: of().alertOfAna, body: { textNotifications: true } };
      expect((await of().refuse('PLAN_REQUIRED', 'PATCH /api/alerts/{id}', text)).body.needsUpgrade).toBe(true);
    });

    const year = new Date().getUTCFullYear() + 1;
    it.each([
      [
        { make: undefined, location: null, radius: '' },
        { make: anyText, location: anyText, radius: anyText },
      ],
      [{ make: undefined, model: undefined }, { make: 'Car make is required' }],
      [{ location: ' ' }, { location: 'Location is required' }],
      [{ radius: null }, { radius: 'Distance radius is required' }],
      [{ make: 'no-such-make', model: null }, { make: anyText }],
      [{ model: 'accord' }, { model: anyText }],
      [{ radius: 7 }, { radius: anyText }],
      [{ radius: '50' }, { radius: anyText }],
      [{ color: 'ultraviolet' }, { color: anyText }],
      [{ yearMin: 1899 }, { yearMin: anyText }],
      [{ yearMax: year + 1 }, { yearMax: anyText }],
      [{ yearMin: '2018' }, { yearMin: anyText }],
      [{ yearMin: 2018.5 }, { yearMin: anyText }],
      [{ priceMin: -1 }, { priceMin: anyText }],
      [{ priceMax: 10_000_001 }, { priceMax: anyText }],
      [{ priceMax: 1e300 }, { priceMax: anyText }],
      [{ priceMax: 2_147_483_648 }, { priceMax: anyText }],
      [{ snoozedUntil: 'tomorrow' }, { snoozedUntil: anyText }],
      [{ snoozedUntil: '2999-01-01T00:00:00Z' }, { snoozedUntil: anyText }],
      [
        { yearMin: 2020, yearMax: 2010 },
        { yearMin: CROSSED, yearMax: CROSSED },
      ],
      [
        { priceMin: 2, priceMax: 1 },
        { priceMin: CROSSED, priceMax: CROSSED },
      ],
      [
        { location: 'Nowhere At All Xyzzy' },
        { location: "We couldn't find that place. Try a city and state, or a ZIP code." },
      ],
      [{ location: 'x'.repeat(101) }, { location: anyText }],
      ...['id', 'userId', 'planId', 'role', 'createdAt', 'expiresAt', 'matchCount'].map((name): [object, object] => [
        { [name]: 1 },
        { [name]: anyText },
      ]),
    ])('is refused with %j', async (change, fields) => {
      const body = { ...camry, ...change };
      const reply = await of().refuse('VALIDATION', 'POST /api/alerts', { as: of().ben, body });
      expect(reply.body.fields).toEqual(fields);
      // A field that a change leaves out stays, which is no error.
      if (Object.values(change).includes(undefined)) return;
      const patch = { as: of().ben, id: of().alertOfBen, body: change };
      await of().refuse('VALIDATION', 'PATCH /api/alerts/{id}', patch);
    });

    it('accepts the smallest and largest years and prices', async () => {
      expect(await create(of().ben, { yearMin: 1900, yearMax: year })).toMatchObject({ yearMin: 1900, yearMax: year });
      expect(await create(of().ben, { priceMin: 0, priceMax: 10_000_000 })).toMatchObject({ priceMax: 10_000_000 });
    });

    it('is limited to one on Free', async () => {
      const { ana, succeed, refuse } = of();
      const quota = { canCreateAlert: false, needsUpgrade: true, alertsUsed: 1, alertLimit: 1 };
      expect((await succeed('GET /api/subscription/can-create-alert', { as: ana })).body).toMatchObject(quota);
      const reply = await refuse('PLAN_LIMIT', 'POST /api/alerts', { as: ana, body: camry });
      expect(reply.body).toMatchObject({ message: LIMIT, needsUpgrade: true });
      const gil = await of().signUp('gil');
      const texts = await refuse('PLAN_REQUIRED', 'POST /api/alerts', {
        as: gil,
        body: { ...camry, textNotifications: true },
      });
      expect(texts.body).toMatchObject({ message: SMS, needsUpgrade: true });
      const { id } = await create(gil);
      const off = { as: gil, id, body: { isActive: false } };
      await succeed('PATCH /api/alerts/{id}', off);
      await create(gil);
      const on = await refuse('PLAN_LIMIT', 'PATCH /api/alerts/{id}', { ...off, body: { isActive: true } });
      expect(on.body.needsUpgrade).toBe(true);
    });

    it('is refused at the limit of Elite, without an upgrade', async () => {
      const { api, signUp, refuse } = of();
      const eve = await signUp('eve', 4);
      const { id } = await create(eve);
      await api.db.pool.query(
        `insert into alerts (user_id, make, location, place, lat, lng, radius, created_at, expires_at)
         select user_id, make, location, place, lat, lng, radius, created_at, expires_at
           from alerts, generate_series(1, 99) where id = $1`,
        [id],
      );
      const reply = await refuse('PLAN_LIMIT', 'POST /api/alerts', { as: eve, body: camry });
      expect(reply.body.needsUpgrade).toBe(false);
    });

    it('can be read, changed, tested and deleted only by its owner', async () => {
      const { ana, alertOfBen, ben, refuse, succeed } = of();
      const options = { as: ana, id: alertOfBen };
      await refuse('NOT_FOUND', 'GET /api/alerts/{id}', options);
      await refuse('NOT_FOUND', 'PATCH /api/alerts/{id}', { ...options, body: { isActive: false } });
      await refuse('NOT_FOUND', 'POST /api/alerts/{id}/notify', options);
      await refuse('NOT_FOUND', 'DELETE /api/alerts/{id}', options);
      await refuse('NOT_FOUND', 'GET /api/listings', { as: ana, query: `alertId=${alertOfBen}` });
      expect((await succeed('GET /api/alerts/{id}', { as: ben, id: alertOfBen })).body.isActive).toBe(true);
    });

    it('sends a sample, if the owner has an address', async () => {
      const { ben, alertOfBen, succeed, refuse, signUp } = of();
      await succeed('POST /api/alerts/{id}/notify', { as: ben, id: alertOfBen });
      const mute = await signUp('mute');
      const { id } = await create(mute);
      await succeed('PATCH /api/user/profile', { as: mute, body: { email: '', phone: '5125550100' } });
      await refuse('VALIDATION', 'POST /api/alerts/{id}/notify', { as: mute, id });
    });

    it('can be deleted only once', async () => {
      const { ben, succeed, refuse } = of();
      const { id } = await create(ben);
      await succeed('DELETE /api/alerts/{id}', { as: ben, id });
      for (const call of ['DELETE /api/alerts/{id}', 'GET /api/alerts/{id}'])
        await refuse('NOT_FOUND', call, { as: ben, id });
    });
  });
}
