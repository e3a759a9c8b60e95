import { createOnServers, defineOnServers, type ServerTrigger } from '../../lab/server-triggers.ts';
import type { Pool } from '../../src/base/database.ts';

/*
 * Records every state of an alert or listing as its transaction commits, whichever process writes it. On a cluster, an alert's
 * are on the server of its user, and a listing's on the coordinator. Mails are due at once, but some of them late enough for a
 * deactivation to come before.
 */

const relation = `
  create table race_history (
    seq int8 generated always as identity primary key,
    at timestamptz not null default clock_timestamp(),
    kind text not null,
    owner text not null,
    id int8 not null,
    gone bool not null,
    state jsonb not null
  );
  create index race_history_owner on race_history (owner, seq)`;

const functions = `
  create function note_alert() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' then
      insert into race_history (kind, owner, id, gone, state) values ('alert', old.user_id, old.id, true, '{}');
    else
      insert into race_history (kind, owner, id, gone, state) values ('alert', new.user_id, new.id, false, to_jsonb(new));
    end if;
    return null;
  end $$;

  create function note_listing() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' then
      insert into race_history (kind, owner, id, gone, state) values ('listing', old.source, old.id, true, '{}');
    else
      insert into race_history (kind, owner, id, gone, state)
      values ('listing', new.source, new.id, false, to_jsonb(new) - 'images');
    end if;
    return null;
  end $$;

  create function hurry_notification() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' then
      new.created_at = now() - interval '1 hour';
      new.due_at = now() + case when random() < 0.12 then interval '2500 ms' else interval '0' end;
    elsif new.status = 'waiting' and new.due_at > now() + interval '40 ms' and new.due_at <> old.due_at then
      new.due_at = now() + interval '40 ms';
    end if;
    return new;
  end $$;

  create function clear_throttle() returns trigger language plpgsql as $$
  begin
    new.last_mailed_at = null;
    return new;
  end $$;
`;

const watched = {
  alerts: [
    ...['make', 'model', 'year_min', 'year_max', 'lat', 'lng', 'radius', 'price_min', 'price_max', 'color'],
    ...['only_with_images', 'is_active', 'expires_at', 'version'],
  ],
  listings: ['make', 'model', 'year', 'price', 'color', 'image_url', 'lat', 'lng', 'status'],
};

/** Triggers that record the states of a table's rows. */
function recording(table: keyof typeof watched, noted: string): ServerTrigger[] {
  const values = (row: string) => `(${watched[table].map((column) => `${row}.${column}`).join(', ')})`;
  return [
    {
      table,
      text: `create constraint trigger race_note_new after insert or delete on %s
               deferrable initially deferred for each row execute function ${noted}()`,
    },
    {
      table,
      text: `create constraint trigger race_note after update on %s deferrable initially deferred for each row
               when (${values('old')} is distinct from ${values('new')}) execute function ${noted}()`,
    },
  ];
}

const triggers: ServerTrigger[] = [
  ...recording('alerts', 'note_alert'),
  ...recording('listings', 'note_listing'),
  {
    table: 'notifications',
    text: 'create trigger race_hurry before insert or update on %s for each row execute function hurry_notification()',
  },
  {
    table: 'alerts',
    text: `create trigger race_throttle before update on %s
             for each row when (new.last_mailed_at is not null) execute function clear_throttle()`,
  },
];

export async function keepHistory(pool: Pool): Promise<void> {
  await defineOnServers(pool, { relation, functions });
  for (const trigger of triggers) await createOnServers(pool, trigger);
}
