import { progress } from '../../lab/command-line.ts';
import { makeRandom } from '../../lab/random.ts';
import { untilTrue } from '../../lab/until-true.ts';
import type { Queryable } from '../../src/base/database.ts';
import { readUnknownTexts } from '../../src/notify/channels/sms/read-unknown-texts.ts';
import { makeActPlan } from '../acts/act-plan.ts';
import { makeProbe } from '../acts/probe.ts';
import { RECOVERY_MS, runActs } from '../acts/run-acts.ts';
import { textFailpoints } from '../failpoints/failpoints.ts';
import { writeJournals } from '../report-faults.ts';
import { journalsIn, type RunOptions, type RunResult, recoveryOf, waitUntilIdle } from '../run-faults.ts';
import { makeSharedLock } from '../shared-lock.ts';
import { startTextProvider } from '../system/providers.ts';
import { INGEST_TOKEN, startSystem } from '../system/system.ts';
import type { Buyer, Target } from '../world/buyers.ts';
import { actAtRandom, makeBuyers } from '../world/crowd.ts';
import { makeDraw } from '../world/draw.ts';
import { startPusher } from '../world/pusher.ts';
import { findDoubled, judgeTexts, type TextedRow, type TextRow } from './judge-texts.ts';

async function readTexts(db: Queryable): Promise<TextRow[]> {
  const { rows } = await db.query<TextRow>(
    `select t.id, t.alert_id as "alertId", t.to_phone as "to", t.status, a.id is not null as "alertIsThere",
            (select count(*)::int from notifications n where n.text_id = t.id) as notifications
       from texts t left join alerts a on a.id = t.alert_id where t.kind <> 'code'`,
  );
  return rows;
}

async function readTexted(db: Queryable): Promise<TextedRow[]> {
  const { rows } = await db.query<TextedRow>(
    `select l.external_id as car, n.alert_id as "alertId", n.kind, n.status, n.text_id as "textId",
            n.created_at as "createdAt", n.settled_at as "settledAt"
       from notifications n join listings l on l.id = n.listing_id where n.channel = 'sms'`,
  );
  return rows;
}

/** Reads the admin's list, page by page. */
async function readListed(db: Queryable): Promise<string[]> {
  const listed: string[] = [];
  for (;;) {
    const { rows, hasMore } = await readUnknownTexts(db, { first: 100, after: listed.at(-1) });
    listed.push(...rows.map(({ id }) => id));
    if (!hasMore) return listed;
  }
}

/** Describes the texts that are still under way; empty when there are none. */
async function readPendingTexts(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ what: string; n: number }>(
    `select 'listings to match' as what, count(*)::int as n from listings_to_match
     union all select 'alerts to match', count(*)::int from alerts where pending_match
     union all select 'texts to send', count(*)::int from notifications
                where channel = 'sms' and status in ('waiting', 'sending')
     union all select 'texts under way', count(*)::int from texts where status = 'sending'`,
  );
  return rows
    .filter(({ n }) => n > 0)
    .map(({ what, n }) => `${n} ${what}`)
    .join(', ');
}

const READY_MS = 180_000;
/** An abandoned text is given up after ten seconds (`shortenWaits`). */
const REST_MS = 150_000;
const INJECTED_LIFE_MS = 15_000;
/** A small run ends as soon as the fault shows, which takes a while on a busy machine. */
const SHOWN_BY_MS = 90_000;
const ENOUGH_DOUBLED = 3;

/** Subscribes all buyers to texts, and every other one to mails as well, without caps. */
async function wantTexts({ pool }: Target, buyers: readonly Buyer[]): Promise<Map<string, string>> {
  const phones = new Map(buyers.map(({ email }, n) => [email, `+1512555${String(1_000 + n)}`]));
  for (const [n, { email }] of buyers.entries()) {
    await pool.query('update users set phone = $2, phone_confirmed_at = now() where email = $1', [
      email,
      phones.get(email),
    ]);
    await pool.query(
      `update alerts set text_notifications = true, email_notifications = $2
        where user_id = (select id from users where email = $1)`,
      [email, n % 2 === 0],
    );
  }
  return phones;
}

/** Performs a whole run for texts: processes are killed where a text may be doubled, and the result is judged. */
export async function runTexts(options: Omit<RunOptions, 'clocks' | 'mongoUrl'>): Promise<RunResult> {
  const began = Date.now();
  const { seed, acts, pauseMs, inject, small = false, recoveryMs = RECOVERY_MS } = options;
  const random = makeRandom(seed);
  // No restores, after which lost texts would be sent to Twilio again.
  const only = options.only.filter((kind) => kind === 'kill' || kind === 'pause' || kind === 'cut');
  const plan = makeActPlan({ acts, only, at: textFailpoints }, random);
  const provider = await startTextProvider(makeRandom(seed + 4));
  const lock = makeSharedLock();
  const system = await startSystem({
    ...options,
    demo: false,
    heldWorkers: true,
    random: makeRandom(seed + 2),
    textsUrl: (name, life) => `${provider.url}/${name}/${life}`,
  });
  try {
    system.mailer = 'outbox';
    const target: Target = { url: system.url, pool: system.pool };
    await untilTrue('the api', READY_MS, async () => (await fetch(`${system.url}/healthz`)).status === 200);
    const draw = makeDraw(seed + 1);
    const buyers = await makeBuyers(target, draw, small && !inject ? 4 : 8);
    const phones = await wantTexts(target, buyers);
    const probe = await makeProbe(system, target, ['pushed', 'matched']);
    progress(`ready after ${((Date.now() - began) / 1000).toFixed(1)} s`);

    const stopping = new AbortController();
    const { signal } = stopping;
    const everyMs = small ? 150 : 250;
    const pusher = startPusher({ url: system.url, token: INGEST_TOKEN, draw, lock, everyMs, signal });
    const acting = actAtRandom(target, lock, buyers, makeDraw(seed + 3), signal);
    await system.restart();
    const { faults, recoveries, done } = await runActs({
      stage: { system, lock, random, pauseMs },
      plan,
      probe,
      longestBurst: options.longestBurst ?? 1,
      recoveryMs,
      timeoutMs: recoveryMs + 45_000,
      untilFault: inject !== undefined,
      between: async () => {},
    });
    // Faults of two concurrent workers show best while both live.
    if (inject) {
      const enough = async () => {
        const [texts, notifications] = await Promise.all([readTexts(system.pool), readTexted(system.pool)]);
        return small && findDoubled({ accepted: provider.accepted, texts, notifications }).length > ENOUGH_DOUBLED;
      };
      await untilTrue('doubled texts', small ? SHOWN_BY_MS : INJECTED_LIFE_MS, enough).catch(() => {});
    }
    stopping.abort();
    provider.recover();
    system.provider.recover();
    progress('the kills are over; waiting for the pending work');
    await Promise.all([pusher.ended, acting]);
    const pending = await waitUntilIdle(() => readPendingTexts(system.pool), REST_MS);
    if (pending !== '') faults.push(`still pending: ${pending}`);

    const alerts = buyers.flatMap((buyer) => buyer.alerts);
    // Alerts that were created meanwhile have no texts.
    const { rows } = await system.pool.query<{ id: number }>('select id from alerts where text_notifications');
    const texted = new Set(rows.map(({ id }) => id));
    const texts = await readTexts(system.pool);
    const facts = {
      accepted: provider.accepted,
      texts,
      notifications: await readTexted(system.pool),
      listed: await readListed(system.pool),
      phones,
    };
    const textedAlerts = alerts.filter(({ id }) => texted.has(id));
    const verdict = judgeTexts(textedAlerts, pusher.cars, facts);
    const lives = [system.api, ...system.workers].flatMap((part) => part.lives);
    writeJournals(journalsIn(options.folder), {
      world: { alerts: textedAlerts, cars: pusher.cars },
      texts: facts,
      happened: { lives, outages: system.database.outages, troubles: system.troubles },
    });
    const { expected, ...found } = verdict;
    for (const [kind, list] of Object.entries(found)) faults.push(...list.map((fault) => `${kind}: ${fault}`));
    const count = (status: string) => texts.filter((text) => text.status === status).length;
    const line = {
      faults: true,
      sms: true,
      acts: recoveries.length,
      kills: done.kill,
      seed,
      ...(inject && {
        plant: inject,
        injected: lives.reduce((sum, { report }) => sum + (report?.injected ?? 0), 0),
      }),
      textsExpected: expected,
      textsAccepted: provider.accepted.length,
      textsDoubled: found.doubled.length,
      textsLost: found.lost.length,
      textsWrong: found.wrong.length,
      unknown: count('unknown'),
      unknownAccepted: texts.filter(
        ({ id, status }) => status === 'unknown' && provider.accepted.some((t) => t.textId === id),
      ).length,
      unlisted: found.unlisted.length,
      recorded: { sent: count('sent'), failed: count('failed') },
      ...recoveryOf(recoveries),
      byKind: done,
      failpoints: Object.fromEntries(
        textFailpoints.map((failpoint) => [
          failpoint,
          lives.filter(({ report }) => report?.killedAt === failpoint).length,
        ]),
      ),
      provider: provider.counts,
      seconds: Math.round((Date.now() - began) / 1000),
    };
    return { line, faults };
  } finally {
    await system.stop();
    await provider.close();
  }
}
