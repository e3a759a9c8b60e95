import { setTimeout as sleep } from 'node:timers/promises';
import { copyToCells } from '../../src/alerts/copy-to-cells.ts';
import { inTransaction, type Pool } from '../../src/base/database.ts';
import type { City, Draw } from './draw.ts';
import type { AlertLog, AlertState, Device } from './journal.ts';

/** A signed-in buyer of the run. */
export interface Buyer {
  id: number;
  email: string;
  cookie: string;
  alerts: AlertLog[];
  /** The browsers that get the messages of all alerts; without any, no alert asks for push messages. */
  devices: Device[];
}

interface Answer<T> {
  data?: T | null;
  errors?: { message: string; extensions: { code: string } }[];
}

const RETRY_DELAY_MS = 150;
const TIMEOUT_MS = 8_000;

/** An answer with an error. */
export class Refused extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

export interface Target {
  url: string;
  pool: Pool;
}

/** Sends one request. @throws Refused for an answer with an error, any other error for no answer */
export async function ask<T>(target: Target, buyer: Buyer, query: string, variables: object): Promise<T> {
  const response = await fetch(`${target.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: buyer.cookie },
    body: JSON.stringify({ query, variables }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0];
  const { data, errors } = (await response.json()) as Answer<T>;
  const error = errors?.[0];
  if (error) throw new Refused(error.extensions.code, error.message);
  if (!data) throw new Error('an answer without data');
  buyer.cookie = cookie ?? buyer.cookie;
  return data;
}

const isFinal = ['VALIDATION', 'NOT_FOUND', 'FORBIDDEN', 'PLAN_LIMIT', 'CONFLICT', 'MALFORMED', 'RATE_LIMITED'];

/** Whether a repeated request would get the same answer. */
export const isPermanent = (error: unknown): error is Refused =>
  error instanceof Refused && isFinal.includes(error.code);

/** Repeats a request until it succeeds, as a buyer would. @throws Refused for a final refusal */
export async function until<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (isPermanent(error)) throw error;
      await sleep(RETRY_DELAY_MS);
    }
  }
}

export async function signUp(target: Target, name: string): Promise<Buyer> {
  const buyer: Buyer = { id: 0, email: `${name}@faults.example`, cookie: '', alerts: [], devices: [] };
  const input = { username: name, password: 'secret-1', email: buyer.email };
  const text = 'mutation ($input: RegisterInput!) { register(input: $input) { id } }';
  const { register } = await ask<{ register: { id: string } }>(target, buyer, text, { input });
  buyer.id = Number(register.id);
  await target.pool.query(
    'update users set plan_id = (select id from plans order by alert_limit desc limit 1) where username = $1',
    [name],
  );
  return buyer;
}

const criteriaInput = ({ lat: _lat, lng: _lng, make: _make, ...asked }: AlertState['criteria']) => asked;

export async function createAlert(
  target: Target,
  buyer: Buyer,
  { city, criteria }: { city: City; criteria: AlertState['criteria'] },
): Promise<AlertLog> {
  const location = `${city.name}, ${city.state}`;
  const pushNotifications = buyer.devices.length > 0;
  const input = { ...criteriaInput(criteria), make: criteria.make, location, pushNotifications };
  const begun = Date.now();
  const known = new Set(buyer.alerts.map(({ id }) => id));
  const id = await until(async () => {
    // An alert whose answer was lost exists already.
    const { alerts } = await ask<{ alerts: { id: string }[] }>(target, buyer, '{ alerts { id } }', {});
    const there = alerts.find((alert) => !known.has(Number(alert.id)));
    if (there) return Number(there.id);
    const text = 'mutation ($input: AlertInput!) { createAlert(input: $input) { id } }';
    return Number((await ask<{ createAlert: { id: string } }>(target, buyer, text, { input })).createAlert.id);
  });
  const alert: AlertLog = {
    id,
    owner: buyer.email,
    states: [{ criteria, active: true, span: { begun, done: Date.now() } }],
  };
  buyer.alerts.push(alert);
  return alert;
}

/** Changes an alert and records the span in which that may have come into force. */
export async function change(
  target: Target,
  buyer: Buyer,
  alert: AlertLog,
  next: Omit<AlertState, 'span'>,
  patch: object,
) {
  const span = { begun: Date.now(), done: Number.POSITIVE_INFINITY };
  alert.states.push({ ...next, span });
  const text = 'mutation ($id: ID!, $input: AlertPatch!) { updateAlert(id: $id, input: $input) { id } }';
  await until(() => ask(target, buyer, text, { id: String(alert.id), input: patch }));
  span.done = Date.now();
}

async function remove(target: Target, buyer: Buyer, alert: AlertLog): Promise<void> {
  const span = { begun: Date.now(), done: Number.POSITIVE_INFINITY };
  alert.deleted = span;
  const text = 'mutation ($id: ID!) { deleteAlert(id: $id) }';
  await until(() => ask(target, buyer, text, { id: String(alert.id) })).catch((error: unknown) => {
    // An earlier attempt may have succeeded.
    if (!(error instanceof Refused && error.code === 'NOT_FOUND')) throw error;
  });
  span.done = Date.now();
}

/** Moves the ends of alerts, and copies them to their cells as the product does. @param changes SQL, as after "set" */
export async function moveEnds({ pool }: Target, ids: readonly number[], changes: string): Promise<void> {
  const statements = [
    `update alerts set ${changes} where id = any ($1::int8[])`,
    `${copyToCells('alerts')} and a.id = any ($1::int8[])`,
  ];
  await until(() =>
    inTransaction(pool, async (client) => {
      for (const statement of statements) await client.query(statement, [ids]);
    }),
  );
}

/** Ends an alert, as if six weeks had passed. */
export async function expireAlert(target: Target, alert: AlertLog, now: AlertState): Promise<void> {
  const span = { begun: Date.now(), done: Number.POSITIVE_INFINITY };
  alert.states.push({ ...now, active: false, span });
  alert.ends = [...(alert.ends ?? []), span];
  await moveEnds(target, [alert.id], 'expires_at = now()');
  span.done = Date.now();
}

/** Performs one act on an alert: edit, switch, renewal, replacement by a new one, or its end. */
export async function act(target: Target, buyer: Buyer, alert: AlertLog, draw: Draw): Promise<void> {
  const now = alert.states.at(-1);
  if (!now || alert.deleted) return;
  const kind = draw.random();
  if (!now.active) return change(target, buyer, alert, { ...now, active: true }, { isActive: true });
  if (kind < 0.15) return change(target, buyer, alert, { ...now, active: false }, { isActive: false });
  if (kind < 0.25) {
    const text = 'mutation ($id: ID!) { renewAlert(id: $id) { id } }';
    await until(() => ask(target, buyer, text, { id: String(alert.id) }));
    return;
  }
  if (kind < 0.33) return expireAlert(target, alert, now);
  if (kind < 0.42) {
    await remove(target, buyer, alert);
    await createAlert(target, buyer, draw.alert());
    return;
  }
  const { yearMin, yearMax, priceMax, radius, model } = draw.alert().criteria;
  const fitting = model !== null && now.criteria.make === 'mazda' && /mazda3|cx-5/.test(model) ? { model } : {};
  const filter = draw.filter(now.criteria.make);
  const patch = draw.pick([{ yearMin, yearMax }, { priceMax }, { radius }, { ...fitting, priceMax, radius }, filter]);
  const changed = Object.entries(patch).some(
    ([name, value]) => now.criteria[name as keyof AlertState['criteria']] !== value,
  );
  if (changed) await change(target, buyer, alert, { criteria: { ...now.criteria, ...patch }, active: true }, patch);
}
