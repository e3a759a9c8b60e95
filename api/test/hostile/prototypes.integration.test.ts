import twilio from 'twilio';
import { expect, test } from 'vitest';
import { type LogFields, silentLog } from '../../src/base/log.ts';
import { makeSchema } from '../../src/graphql/make-schema.ts';
import { type CompiledCall, compileCall } from '../../src/rest/calls/compiled-call.ts';
import { callTable } from '../../src/rest/calls/table.ts';
import { parseMarketplacePage } from '../../src/sources/marketplace-items/read-marketplace-items.ts';
import { parseSources } from '../../src/sources/source-settings.ts';
import { readVehicleFeed } from '../../src/sources/vehicle-feed/read-feed.ts';
import { type Browser } from '../browser.ts';
import { makeTestApi, setUpApi } from '../make-app.ts';
import { makeFakePayments, signedEvent } from '../payments/fake-payments.ts';
import { gazetteer, node, now } from '../reading/marketplace-items.ts';
import { fittingValue } from './root-fields.ts';

const schema = makeSchema();
const calls = callTable(null).map((call) => compileCall(schema, call));

/** Built-in objects that no input may change. */
const shared = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Map.prototype];
const shapeOf = () => shared.map((one) => Object.getOwnPropertyNames(one).sort().join());
const before = shapeOf();

/** Written as JSON, so that `__proto__` is an ordinary field. */
const polluting = '{"polluted": true, "isAdmin": true, "planId": 4, "id": 1, "status": "approved", "toString": "x"}';
const attack = `"__proto__": ${polluting}`;
const moreAttacks: Record<string, string> = {
  'the prototype of the constructor': `"constructor": {"prototype": ${polluting}}`,
  'a list as the prototype': '"__proto__": [1, 2, 3]',
  'null as the prototype': '"__proto__": null',
  'names of methods':
    '"toString": "x", "valueOf": 1, "hasOwnProperty": null, "toJSON": {"x": 1}, "then": 1, "length": -1',
  'paths into the prototype':
    '"__proto__.polluted": true, "constructor.prototype.polluted": true, "__proto__[polluted]": true',
};
const attacks = { prototype: attack, ...moreAttacks };
const operator = { $ne: null };
const moreOperators: unknown[] = [
  { $gt: '' },
  { $where: 'sleep(9000)' },
  { $in: [1] },
  [{ $ne: 1 }],
  { raw: '1=1' },
  { sql: 'now()' },
  { __raw: 'x' },
  JSON.parse(`{"__proto__": ${polluting}}`),
  { constructor: { prototype: { polluted: true } } },
];

let browser: Browser;
let userId: number;
const unexpected: (LogFields | undefined)[] = [];
const api = setUpApi({ log: { ...silentLog, error: (_message, more) => unexpected.push(more) } }, async () => {
  ({ browser, id: userId } = await api.user('mallory'));
});

const bodyOf = ({ body }: CompiledCall): Record<string, unknown> =>
  Object.fromEntries((body?.fields ?? []).map(({ name, type }) => [name, fittingValue(name, type)]));

async function send(call: CompiledCall['call'], text: string): Promise<{ status: number; code?: string }> {
  const answer = await browser.fetch(`/api${call.path.replaceAll(/\{\w+\}/g, '1')}`, {
    method: call.method,
    headers: { 'content-type': 'application/json' },
    body: text,
  });
  const { code } = (await answer.json()) as { code?: string };
  return { status: answer.status, ...(code && { code }) };
}

/** Some calls sign out or sign in as another user. */
async function signInAgain(): Promise<void> {
  const { data } = await browser.gql('{ me { id } }');
  if (Number(data?.me?.id) === userId) return;
  await browser.gql('mutation { login(username: "mallory", password: "secret-1") { id } }');
}

const writing = calls.filter(({ body }) => body !== null);

async function expectPrototypeIgnored(attacks: Record<string, string>): Promise<void> {
  expect(writing.length).toBeGreaterThan(10);
  for (const ready of writing) {
    const plain = JSON.stringify(bodyOf(ready));
    await signInAgain();
    const expected = await send(ready.call, plain);
    for (const [what, attack] of Object.entries(attacks)) {
      await signInAgain();
      const body = plain === '{}' ? `{${attack}}` : `${plain.slice(0, -1)}, ${attack}}`;
      const { status } = await send(ready.call, body);
      // A call that succeeded once may be refused the second time.
      const again = [expected.status, 400, 403, 404, 409];
      expect([ready.call.path, what, again.includes(status)]).toEqual([ready.call.path, what, true]);
    }
  }
  expect(shapeOf()).toEqual(before);
  expect(unexpected).toEqual([]);
}

test('every call of REST ignores a prototype in the body', { timeout: 120_000 }, () =>
  expectPrototypeIgnored({ prototype: attack }),
);
test('every call of REST ignores any other attack on prototypes', { timeout: 120_000, tags: 'long' }, () =>
  expectPrototypeIgnored(moreAttacks),
);

async function expectRefused(operators: unknown[]): Promise<void> {
  for (const ready of writing) {
    const plain = bodyOf(ready);
    for (const name of Object.keys(plain)) {
      for (const operator of operators) {
        await signInAgain();
        const { status } = await send(ready.call, JSON.stringify({ ...plain, [name]: operator }));
        expect([ready.call.path, name, operator, status < 400 || status > 499]).toEqual([
          ready.call.path,
          name,
          operator,
          false,
        ]);
      }
    }
  }
  // The calls themselves registered the other users.
  expect(await api.db.rows('select distinct plan_id from users where id > 1')).toEqual([{ plan_id: 1 }]);
  expect(unexpected).toEqual([]);
}

test('an operator in any field of any call is refused', { timeout: 120_000 }, () => expectRefused([operator]));
test('any other operator in any field of any call is refused', { timeout: 120_000, tags: 'long' }, () =>
  expectRefused(moreOperators),
);

test('a prototype in an item or a row of a feed is ignored, and in a source’s settings refused', async () => {
  const context = { gazetteer, now };
  const plain = JSON.stringify(node);
  const [expected] = parseMarketplacePage(`[${plain}]`, context);
  for (const attack of Object.values(attacks)) {
    for (const text of [`${plain.slice(0, -1)}, ${attack}}`, `{${attack}, ${plain.slice(1)}`]) {
      expect(parseMarketplacePage(`[${text}]`, context)).toEqual([expected]);
      expect(parseMarketplacePage(`[{"listing": ${text}}]`, context)).toEqual([expected]);
    }
    for (const field of Object.keys(node)) {
      const record = parseMarketplacePage(
        `[{"id": "7", "title": "2014 Ford Focus", "${field}": {${attack}}}]`,
        context,
      );
      expect(record).toHaveLength(1);
    }
    const source = '"name": "a", "kind": "marketplace-items", "url": "https://a.example"';
    expect(() => parseSources(`[{${source}, ${attack}}]`, '/')).toThrow(/SOURCES_FILE/);
  }
  const columns = [
    '__proto__',
    'constructor',
    '__proto__.polluted',
    'constructor.prototype.polluted',
    'toString',
    '__proto__[0]',
  ];
  const csv = `vehicle_id,make,model,year,${columns.join(',')}\n1,Ford,Focus,2014,${columns.map(() => 'true').join(',')}\n`;
  const xml = `<l><listing><vehicle_id>1</vehicle_id><make>Ford</make><model>Focus</model><year>2014</year>${columns
    .filter((name) => /^\w+$/.test(name))
    .map((name) => `<${name}><polluted>true</polluted></${name}><image ${name}="x"/>`)
    .join('')}</listing></l>`;
  for (const text of [csv, csv.replaceAll(',', '\t'), xml]) {
    const body = {
      async *text() {
        yield text;
      },
      contentType: null,
      name: 'feed',
    };
    const records = [];
    for await (const record of readVehicleFeed(body, context)) records.push(record);
    expect(records).toMatchObject([{ facts: { externalId: '1', make: 'ford', model: 'focus', year: 2014 } }]);
  }
  expect(shapeOf()).toEqual(before);
});

test('a prototype in a request of a vendor is ignored', async () => {
  const env = {
    TWILIO_AUTH_TOKEN: 'a-token',
    PUBLIC_URL: 'https://lotwatch.example',
    TRUSTED_PROXIES: '0',
    TWILIO_FROM: '+15125550100',
  };
  const signed = await makeTestApi({ db: api.db, env, payments: makeFakePayments() });
  const event = '{"id": "evt_p", "object": "event", "type": "product.created", "data": {"object": {"id": "prod_1"}}}';
  for (const attack of Object.values(attacks)) {
    for (const text of [
      `${event.slice(0, -1)}, ${attack}}`,
      event.replace('{"id": "prod_1"}', `{"id": "prod_1", ${attack}}`),
    ]) {
      const { body, headers } = signedEvent(JSON.parse(text) as object);
      const answer = await fetch(`${signed.url}/api/webhooks/stripe`, { method: 'POST', headers, body });
      expect(answer.status).toBe(200);
    }
  }
  const form = {
    From: '+12133734567',
    Body: 'hello',
    'constructor[prototype][polluted]': '1',
    toString: 'x',
    length: '3',
  };
  const path = '/api/webhooks/twilio';
  const signature = twilio.getExpectedTwilioSignature('a-token', `https://lotwatch.example${path}`, form);
  const answer = await fetch(signed.url + path, {
    method: 'POST',
    headers: { 'x-twilio-signature': signature },
    body: new URLSearchParams(form),
  });
  expect(answer.status).toBe(200);
  await signed.close();
  expect(shapeOf()).toEqual(before);
  expect(unexpected).toEqual([]);
});
