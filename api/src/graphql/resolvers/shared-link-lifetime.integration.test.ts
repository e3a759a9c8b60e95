import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Browser, makeBrowser } from '../../../test/browser.ts';
import { insertMatches, storeCars } from '../../../test/factories.ts';
import { setUpApi } from '../../../test/make-app.ts';
import { end, links, openShared, share, shareCars, tokenOf } from '../../../test/sharing.ts';

const lines: unknown[] = [];
const note = (...given: unknown[]) => void lines.push(given);

let ana: Browser;
let anaId: number;
let ben: Browser;
let alertId: number;
let cars: number[];

const api = setUpApi({ log: { info: note, warn: note, error: note } }, async () => {
  ({ browser: ana, id: anaId } = await api.user('zqana', { email: 'zqana@home.example' }));
  ({ browser: ben } = await api.user('ben'));
  alertId = await ana.createAlert();
  cars = await storeCars(api.db.pool, [{ title: '2015 Toyota Camry' }]);
  await insertMatches(api.db.pool, alertId, cars);
});
beforeEach(async () => {
  await api.db.pool.query('truncate shared_links');
});

/** As somebody without a session. */
const open = (url: string, browser = makeBrowser(api.url)) => openShared(url, browser);

describe('every link', () => {
  it('is stored as a hash, and its address is in the answer that made it alone', async () => {
    const { data } = await share(ana, alertId);
    const { url, id } = data.shareAlert;
    expect(url).toMatch(/^http:\/\/localhost:4000\/shared\/[\w-]{43}$/);
    const token = tokenOf(url);
    const [row] = await api.db.rows("select *, encode(token_hash, 'hex') as hash from shared_links");
    expect(row?.hash).toBe(createHash('sha256').update(token).digest('hex'));
    expect(JSON.stringify(row)).not.toContain(token);
    expect(await links(ana)).toMatchObject([
      { id, url: null, alert: { id: String(alertId) }, carCount: 0, titles: [] },
    ]);
    const days = (Date.parse(data.shareAlert.expiresAt) - Date.parse(data.shareAlert.createdAt)) / 86_400_000;
    expect(Math.round(days)).toBe(90);
    await makeBrowser(api.url).fetch(`/shared/${token}`);
    expect(JSON.stringify(lines)).not.toContain(token);
  });

  it('is ended by its owner alone, at once, and then answers as one that never was', async () => {
    const { id, url } = (await share(ana, alertId)).data.shareAlert;
    expect((await end(ben, id)).errors[0]?.extensions).toMatchObject({ code: 'NOT_FOUND' });
    expect((await end(makeBrowser(api.url), id)).errors[0]?.extensions).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await open(url)).not.toBeNull();
    expect((await end(ana, id)).data.endSharedLink).toBe(id);
    expect(await open(url)).toBeNull();
    expect((await end(ana, id)).errors[0]?.extensions).toMatchObject({ code: 'NOT_FOUND' });
    for (const token of ['', 'x', 'a'.repeat(43), 'a'.repeat(100_000), "' or 1=1 --", '\u0000'])
      expect(await open(`/shared/${token}`)).toBeNull();
  });

  it('expires, and counts no more', async () => {
    const { url } = (await share(ana, alertId)).data.shareAlert;
    await api.db.pool.query("update shared_links set expires_at = now() - interval '1 second'");
    expect(await open(url)).toBeNull();
    expect(await links(ana)).toEqual([]);
  });

  it('is one of 20 at most, however many are made at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 23 }, (_, n) => (n % 2 ? share(ana, alertId) : shareCars(ana, [cars[0] ?? 0]))),
    );
    const codes = answers.flatMap(({ errors }) => errors.map(({ extensions }) => extensions.code));
    expect(codes).toEqual(['CONFLICT', 'CONFLICT', 'CONFLICT']);
    expect(await links(ana)).toHaveLength(20);
    await end(ana, (await links(ana))[0].id);
    expect((await share(ana, alertId)).errors).toEqual([]);
    expect(await links(ben)).toEqual([]);
  });

  it('is read at most twice by one operation', async () => {
    const read = (times: number) =>
      makeBrowser(api.url).gql(
        `{ ${Array.from({ length: times }, (_, n) => `r${n}: shared(token: "x") { cars { title } }`).join(' ')} }`,
      );
    expect((await read(2)).errors).toEqual([]);
    expect((await read(3)).errors[0]?.message).toMatch(/^This operation is too large: its cost is/);
  });

  it('is noted among the security events when it is made and when it is ended', async () => {
    lines.length = 0;
    const { id } = (await share(ana, alertId)).data.shareAlert;
    await shareCars(ana, [cars[0] ?? 0]);
    await end(ana, id);
    const noted = lines.flat().filter((line) => /^link\./.test((line as { event?: string }).event ?? ''));
    expect(noted).toMatchObject([
      { event: 'link.created', userId: anaId, linkId: Number(id), network: expect.any(String) },
      { event: 'link.created', userId: anaId },
      { event: 'link.ended', userId: anaId, linkId: Number(id) },
    ]);
  });

  it('ends where all other sessions are ended', async () => {
    const { url } = (await share(ana, alertId)).data.shareAlert;
    const kept = (await shareCars(ana, [cars[0] ?? 0])).data.shareListings;
    expect((await ana.gql('mutation { endOtherSessions }')).errors).toEqual([]);
    for (const address of [url, kept.url]) expect(await open(address)).toBeNull();
  });

  it('is not listed to visitors', async () => {
    const { errors } = await makeBrowser(api.url).gql('{ sharedLinks { id } }');
    expect(errors[0]?.extensions).toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('is exported without its address, and ends with the account', async () => {
    const { url } = (await shareCars(ana, [cars[0] ?? 0])).data.shareListings;
    const { data } = await ana.gql('mutation { exportMyData }');
    expect(data.exportMyData.sharedLinks).toMatchObject([{ alertId: null, listingIds: [cars[0]] }]);
    expect(JSON.stringify(data)).not.toContain(tokenOf(url));
    expect(await open(url)).not.toBeNull();
    await ana.gql('mutation { requestDeletion(reason: "Enough") { requestId } }');
    await api.db.pool.query("update deletion_requests set status = 'approved' where user_id = $1", [anaId]);
    const admin = await api.admin();
    const erase = 'mutation ($id: ID!) { executeDeletion(userId: $id) { message } }';
    expect((await admin.gql(erase, { id: String(anaId) })).errors).toEqual([]);
    expect(await open(url)).toBeNull();
    expect(await api.db.rows('select id from shared_links')).toEqual([]);
  });
});
