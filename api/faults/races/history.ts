import type { Pool } from '../../src/base/database.ts';

/**
 * What was in force when: every state of an alert or listing is noted as its transaction commits, whoever writes it.
 * Mails leave at once, some of them late enough for a switch-off to come between.
 */
const historySql = `
  create table race_history (
    seq int8 generated always as identity primary key,
    at timestamptz not null default clock_timestamp(),
    kind text not null,
    owner text not null,
    id int8 not null,
    gone bool not null,
    state jsonb not null
  );
  create index race_history_owner on race_history (owner, seq);

  create function note_alert() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' then
      insert into race_history (kind, owner, id, gone, state) values ('alert', old.user_id, old.id, true, '{}');
    else
      insert into race_history (kind, owner, id, gone, state) values ('alert', new.user_id, new.id, false, to_jsonb(new));
    end if;
    return null;
  end $$;
  create constraint trigger race_note_new after insert or delete on alerts
    deferrable initially deferred for each row execute function note_alert();
  create constraint trigger race_note after update on alerts deferrable initially deferred for each row
    when ((old.make, old.model, old.year_min, old.year_max, old.lat, old.lng, old.radius, old.price_min, old.price_max,
           old.color, old.only_with_images, old.is_active, old.expires_at, old.version)
          is distinct from
          (new.make, new.model, new.year_min, new.year_max, new.lat, new.lng, new.radius, new.price_min, new.price_max,
           new.color, new.only_with_images, new.is_active, new.expires_at, new.version))
    execute function note_alert();

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
  create constraint trigger race_note_new after insert or delete on listings
    deferrable initially deferred for each row execute function note_listing();
  create constraint trigger race_note after update on listings deferrable initially deferred for each row
    when ((old.make, old.model, old.year, old.price, old.color, old.image_url, old.lat, old.lng, old.status)
          is distinct from
          (new.make, new.model, new.year, new.price, new.color, new.image_url, new.lat, new.lng, new.status))
    execute function note_listing();

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
  create trigger race_hurry before insert or update on notifications
    for each row execute function hurry_notification();

  create function forget_pace() returns trigger language plpgsql as $$
  begin
    new.last_mailed_at = null;
    return new;
  end $$;
  create trigger race_pace before update on alerts
    for each row when (new.last_mailed_at is not null) execute function forget_pace();
`;

export async function keepHistory(pool: Pool): Promise<void> {
  await pool.query(historySql);
}
