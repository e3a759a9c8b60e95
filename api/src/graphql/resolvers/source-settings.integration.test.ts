import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startLocalServer } from '../../../lab/local-server.ts';
import { type Browser, makeBrowser } from '../../../test/browser.ts';
import { setUpApi } from '../../../test/make-app.ts';
import { makeEncryption } from '../../base/encryption.ts';
import { ensureSources } from '../../sources/change-sources.ts';
import { withSource } from '../../sources/claim-source.ts';
import { decryptSecrets } from '../../sources/source-secrets.ts';

const SECRET = 'Bearer top-s3cret';
let admin: Browser;
let server: Awaited<ReturnType<typeof startLocalServer>>;
let other: Awaited<ReturnType<typeof startLocalServer>>;
const headersSeen: (string | undefined)[] = [];

const api = setUpApi({}, async () => {
  admin = await api.admin();
});
const answerFeed = (name: string) =>
  startLocalServer((request, response) => {
    headersSeen.push(request.headers.authorization);
    const cars = Array.from(
      { length: 7 },
      (_, index) =>
        `${name}-${index},2016,Honda,Civic,Austin TX,${9800 + index} USD,LX,HYBRID,FWD,AUTOMATIC,SEDAN,Silver,,Salvage title.`,
    );
    const bad = [
      'x-1,2010,Yugo,GV,Austin TX,900 USD,,,,,,,,',
      ',2010,Honda,Fit,Austin TX,900 USD,,,,,,,,',
      'x-3,1700,Honda,Fit,Austin TX,5 USD,,,,,,,,',
    ];
    response.end(
      [
        'vehicle_id,year,make,model,address,price,trim,fuel_type,drivetrain,transmission,body_style,exterior_color,url,description',
        ...cars,
        ...bad,
        'x-4,2011,Trabant,P601,Austin TX,1 USD,,,,,,,,',
      ].join('\n'),
    );
  });
beforeAll(async () => {
  server = await answerFeed('car');
  other = await answerFeed('other');
});
afterAll(async () => {
  await server.close();
  await other.close();
});
beforeEach(async () => {
  headersSeen.length = 0;
  await api.db.pool.query('truncate sources');
});

const input = (fields: Record<string, string> = {}, more = {}) => ({
  name: 'north-lot',
  kind: 'vehicle-feed',
  fields: Object.entries({ url: `${server.url}/feed.csv`, allowPrivateNetwork: 'on', ...fields }).map(
    ([name, value]) => ({ name, value }),
  ),
  ...more,
});
const encryption = () => makeEncryption([api.sessionSecret], 'source headers');
const withToken = { headerName: 'Authorization', headerValue: SECRET };
const shown = '{ name kind origin version fields { name value isSet } replacedAt }';
const create = (given: object, by = admin) =>
  by.gql(`mutation ($input: SourceInput!) { createSource(input: $input) ${shown} }`, { input: given });
const update = (given: object, version: number) =>
  admin.gql(
    `mutation ($input: SourceInput!, $version: Int!) { updateSource(input: $input, version: $version) ${shown} }`,
    {
      input: given,
      version,
    },
  );
const attempt = (given: object) =>
  admin.gql(
    `mutation ($input: SourceInput!) { trySource(input: $input) {
       accepted rejected hasMore fault cars { externalId title price facts location } rejects { code reason record } } }`,
    { input: given },
  );
const faultOf = ({ errors }: Awaited<ReturnType<Browser['gql']>>) => errors?.[0]?.extensions;
const settingsOf = async (name = 'north-lot') => {
  const { rows } = await api.db.pool.query(
    'select name, kind, settings, header_ciphertext as "encryptedSecrets", ended_by, next_poll_at from sources where name = $1',
    [name],
  );
  return { row: rows[0], whole: decryptSecrets(encryption(), rows[0]) };
};
const acts = async () => {
  const { rows } = await api.db.pool.query(
    `select action || ' ' || subject || ' ' || outcome as act from audit_log where action like 'source.%' order by id`,
  );
  return rows.map(({ act }) => act);
};

describe('a source in the browser', () => {
  it('is tried without being stored, made, edited, stopped and started, and each act is logged', async () => {
    const { data } = await attempt(input(withToken));
    expect(data.trySource).toMatchObject({ accepted: 7, rejected: 4, hasMore: false, fault: null });
    expect(data.trySource.cars).toHaveLength(5);
    expect(data.trySource.cars[0]).toEqual({
      externalId: 'car-0',
      title: '2016 Honda Civic LX',
      price: 9800,
      facts: ['Salvage title', 'LX', 'Hybrid', 'Front-wheel drive', 'Automatic', 'Sedan', 'Silver'],
      location: 'Austin, TX',
    });
    expect(data.trySource.rejects.map(({ code }: { code: string }) => code)).toEqual([
      'UNKNOWN_MAKE',
      'NO_ID',
      'BAD_YEAR',
    ]);
    expect(headersSeen).toEqual([SECRET]);
    expect((await api.db.pool.query('select from sources')).rowCount).toBe(0);
    expect((await api.db.pool.query('select from listings')).rowCount).toBe(0);

    const made = (await create(input(withToken))).data.createSource;
    expect(made).toMatchObject({ origin: 'browser', version: 1, replacedAt: null });
    expect(made.fields).toContainEqual({ name: 'headerValue', value: null, isSet: true });
    expect(JSON.stringify(await admin.gql(`{ sources ${shown} }`))).not.toContain('s3cret');
    const { row } = await settingsOf();
    expect(JSON.stringify(row)).not.toContain('s3cret');

    const edited = await update(input({ ...withToken, headerValue: '', everySeconds: '900' }), 1);
    expect(edited.data.updateSource.version).toBe(2);
    expect((await settingsOf()).whole).toMatchObject({
      everySeconds: 900,
      header: { name: 'Authorization', value: SECRET },
    });
    const isReading = async () => (await admin.gql('{ sourceHealth { isReading } }')).data.sourceHealth[0].isReading;
    expect(await isReading()).toBe(false);
    const poll = await withSource(api.db.pool, 'north-lot', async ({ kind }) => [kind, await isReading()]);
    expect(poll).toEqual(['vehicle-feed', true]);
    await admin.gql('mutation { endSource(name: "north-lot") }');
    expect((await settingsOf()).row.ended_by).toBe('operator');
    await admin.gql('mutation { resumeSource(name: "north-lot") }');
    expect((await settingsOf()).row.ended_by).toBe(null);
    expect(faultOf(await admin.gql('mutation { endSource(name: "no-lot") }'))?.code).toBe('NOT_FOUND');
    expect(await acts()).toEqual([
      'source.try source north-lot done',
      'source.create source north-lot done',
      'source.update source north-lot done',
      'source.end source north-lot done',
      'source.resume source north-lot done',
      'source.end source no-lot NOT_FOUND',
    ]);
  });

  it('sends a stored secret to no other server than it was entered for', async () => {
    await create(input(withToken));
    const elsewhere = input({ ...withToken, headerValue: '', url: `${other.url}/feed.csv` });
    const refused = { code: 'VALIDATION', fields: { headerValue: expect.stringContaining('another server') } };
    expect(faultOf(await attempt(elsewhere))).toMatchObject(refused);
    expect(faultOf(await update(elsewhere, 1))).toMatchObject(refused);
    expect(headersSeen).toEqual([]);
    await attempt(input({ headerName: 'Authorization', headerValue: '' }));
    expect(headersSeen).toEqual([SECRET]);
    await update(input({ headerName: '', headerValue: '' }), 1);
    expect((await settingsOf()).whole).not.toHaveProperty('header');
  });

  it('refuses the older of two edits, and what belongs to a file', async () => {
    await create(input());
    expect((await update(input({ everySeconds: '60' }), 1)).data.updateSource.version).toBe(2);
    expect(faultOf(await update(input({ everySeconds: '90' }), 1))?.code).toBe('CONFLICT');
    const file = { name: 'north-lot', kind: 'vehicle-feed', ended: false, encryptedSecrets: null };
    await ensureSources(api.db.pool, [{ ...file, settings: { url: 'https://dealer.example/feed.csv' } }]);
    const { data } = await admin.gql(`{ sources ${shown} }`);
    expect(data.sources).toEqual([
      {
        name: 'north-lot',
        kind: 'vehicle-feed',
        origin: 'settings',
        version: 3,
        fields: [],
        replacedAt: expect.any(String),
      },
    ]);
    expect(faultOf(await update(input(), 3))?.code).toBe('CONFLICT');
    expect(faultOf(await create(input()))).toMatchObject({
      fields: { name: 'There is a source of this name already' },
    });
  });

  it.each([
    ['a kind that has no form', {}, { kind: 'push' }, 'kind'],
    ['a field of no kind', { file: '/etc/passwd' }, {}, 'fields'],
    ['an address that is none', { url: 'file:///etc/passwd' }, {}, 'url'],
    ['half a header', { headerName: 'Authorization' }, {}, 'headerValue'],
    ['a number that is none', { everySeconds: '1e9' }, {}, 'everySeconds'],
    ['the name of the demo', {}, { name: 'demo' }, 'name'],
    ['a name with spaces', {}, { name: 'my lot' }, 'name'],
  ] satisfies [string, Record<string, string>, object, string][])('refuses %s', async (_what, fields, more, field) => {
    const given = input(fields, more);
    const fault = faultOf(await create(given));
    expect(fault?.code).toBe('VALIDATION');
    expect(Object.keys(fault?.fields as object)).toEqual([field]);
    expect(faultOf(await attempt(given))?.code).toBe('VALIDATION');
  });

  it.each([
    ['vehicle-pages', { site: 'https://dealer.example', place: 'Boize, ZZ' }, 'place', '“Boize, ZZ”'],
    [
      'google-vehicle-feed',
      { url: 'https://dealer.example/g.xml', stores: 'A-1 = Austin, TX\nA-2 = 00000' },
      'stores',
      'A-2: “00000”',
    ],
  ] satisfies [string, Record<string, string>, string, string][])(
    'refuses a place of %s that is not known',
    async (kind, fields, field, words) => {
      const values = { everySeconds: '900', ...fields };
      const given = { name: 'lost', kind, fields: Object.entries(values).map(([name, value]) => ({ name, value })) };
      for (const fault of [faultOf(await create(given)), faultOf(await attempt(given))])
        expect(fault).toMatchObject({ code: 'VALIDATION', fields: { [field]: expect.stringContaining(words) } });
    },
  );

  it('says in words why a source can not be read', async () => {
    const trial = (await attempt(input({ url: 'http://127.0.0.1:9/feed.csv' }))).data.trySource;
    expect(trial).toMatchObject({
      accepted: 0,
      rejected: 0,
      cars: [],
      fault: expect.stringContaining("can't be reached"),
    });
    const guarded = (await attempt(input({ allowPrivateNetwork: '' }))).data.trySource;
    expect(guarded.fault).toContain('inside the own network');
    expect(headersSeen).toEqual([]);
  });

  it('is for the admin alone, who has just given the password', async () => {
    const { browser: buyer } = await api.user('ana');
    expect(faultOf(await create(input(), makeBrowser(api.url)))?.code).toBe('UNAUTHENTICATED');
    expect(faultOf(await create(input(), buyer))?.code).toBe('FORBIDDEN');
    await api.db.pool.query(
      `update session set sess = (sess::jsonb || '{"passwordGivenAt": 0}')::json where sess ->> 'userId' = '1'`,
    );
    const later = await admin.gql('mutation { endSource(name: "north-lot") }');
    expect(faultOf(later)?.code).toBe('PASSWORD_NEEDED');
  });
});
