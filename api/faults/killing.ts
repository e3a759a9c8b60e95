import { setTimeout as sleep } from 'node:timers/promises';
import type { KillPlan, Victim } from './kill-plan.ts';
import { progress } from './progress.ts';
import type { System } from './system/system.ts';
import { untilTrue } from './until-true.ts';

const FOUND_MS = 60_000;

async function strike(system: System, victim: Victim, random: () => number): Promise<void> {
  progress(`kill -9 of ${victim}`);
  const worker = system.workers[Math.floor(random() * system.workers.length)];
  switch (victim) {
    case 'database':
      return system.database.killServer();
    case 'api':
      return untilTrue('the api to kill', FOUND_MS, async () => system.api.kill());
    case 'worker':
      return untilTrue('a worker to kill', FOUND_MS, async () => worker?.kill() ?? false);
    case 'session':
      return untilTrue('a session to kill', FOUND_MS, async () => {
        const { rows } = await system.pool.query<{ pid: number }>(
          "select pid from pg_stat_activity where application_name = 'lotwatch-worker' order by random() limit 1",
        );
        return rows[0] !== undefined && system.database.killSession(rows[0].pid);
      });
  }
}

async function killAtRandom(system: System, plan: KillPlan, random: () => number, signal: AbortSignal): Promise<void> {
  for (;;) {
    await sleep(1_000 + random() * 2_000, undefined, { signal }).catch(() => {});
    while (!plan.isRandomDue() && !signal.aborted) await sleep(200);
    const victim = signal.aborted ? undefined : plan.nextRandom();
    if (victim === undefined) return;
    await strike(system, victim, random);
  }
}

/**
 * Lets the planned kills happen; at half of them the workers change from SendGrid to the outbox. Not the other way:
 * what the outbox had taken of a worker that died, SendGrid would get again.
 */
export async function killAll(system: System, plan: KillPlan, kills: number, random: () => number): Promise<void> {
  const stopping = new AbortController();
  const atRandom = killAtRandom(system, plan, random, stopping.signal);
  let shown = 0;
  try {
    await untilTrue('the last kill', 120_000 + kills * 12_000, async () => {
      if (plan.total() >= shown + 5) {
        shown = plan.total();
        progress(`${shown} of ${kills} killed: ${JSON.stringify(plan.counts)}`);
      }
      if (system.mailer === 'sendgrid' && plan.total() >= kills / 2) {
        system.mailer = 'outbox';
        await system.restart();
      }
      return plan.isDone();
    });
  } finally {
    stopping.abort();
  }
  await atRandom;
}
