import { beforeEach, expect, it, vi } from 'vitest';

const car = (id: string) => ({ id, carId: `car-${id}`, title: `Car ${id}` });
const stored = new Map<string, string>();

/** The module as a page has it that was just loaded. */
async function loadPage() {
  vi.resetModules();
  const page = await import('./compared-cars.ts');
  return { ...page, idsOf: () => page.comparedCars.get().map(({ id }) => id) };
}

beforeEach(() => {
  stored.clear();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
});

it('keeps the choice when the page is loaded again, for its viewer alone', async () => {
  const before = await loadPage();
  before.startCompared('5');
  for (const id of ['1', '2', '3']) before.compareCar(car(id), true);
  before.compareCar(car('2'), false);

  const after = await loadPage();
  expect(after.idsOf()).toEqual([]);
  after.startCompared('5');
  expect(after.idsOf()).toEqual(['1', '3']);
  after.dropCompared(['1', '9']);
  expect(after.idsOf()).toEqual(['3']);

  const other = await loadPage();
  other.startCompared('6');
  expect(other.idsOf()).toEqual([]);
  expect(stored.size).toBe(0);
});

it('leaves nothing in the tab once it is forgotten', async () => {
  const page = await loadPage();
  page.startCompared('5');
  page.compareCar(car('1'), true);
  expect(stored.size).toBe(1);
  page.forgetCompared();
  expect([page.idsOf(), stored.size]).toEqual([[], 0]);
});

it.each(['', 'null', '[]', '{"userId":"5"}', '{"userId":"5","cars":{}}', '{"userId":"5","cars":[null,{"id":1}]}', 'x'])(
  'reads no choice from %j',
  async (text) => {
    stored.set('lotwatch-compared', text);
    const page = await loadPage();
    page.startCompared('5');
    expect(page.idsOf()).toEqual([]);
  },
);

it('goes on without a storage', async () => {
  vi.stubGlobal('sessionStorage', {
    getItem: () => {
      throw new Error('refused');
    },
  });
  const page = await loadPage();
  page.startCompared('5');
  page.compareCar(car('1'), true);
  expect(page.idsOf()).toEqual(['1']);
});
