import type { Client } from '../../base/database.ts';

/** The SQLSTATEs of `require_sendable`. */
const UNKNOWN_SERVER = 'LW001';
const HELD = 'LW002';

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** Whether a claim was refused since its server is not known yet, or since messages are held. */
export const isNotSendable = (error: unknown): boolean => [UNKNOWN_SERVER, HELD].includes(String(codeOf(error)));

/** Which server this is: a copy of it that was promoted or restored counts a timeline of its own. */
export interface RunningServer {
  systemIdentifier: string;
  timeline: number;
  /** The last commit that it received from another server or an archive; null where it was only started. */
  replayedUntil: Date | null;
  isKnown: boolean;
  /** Whether nothing may be claimed through it unless it waits for a standby. */
  isSynchronous: boolean;
}

const serverSql = `
  select coalesce((select system_identifier::text from pg_control_system()), '') as "systemIdentifier",
         ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int4 as timeline,
         pg_last_xact_replay_timestamp() as "replayedUntil",
         r.started_at is not null as "isKnown", coalesce(r.is_synchronous, false) as "isSynchronous"
    from (select) one left join running_server r on r.started_at = pg_postmaster_start_time()`;

export async function readServer(client: Client): Promise<RunningServer> {
  const { rows } = await client.query<RunningServer>(serverSql);
  const [server] = rows;
  if (!server) throw new Error('The server does not say which one it is.');
  return server;
}

/** Records the running server as one that lacks nothing, or whose messages are held. */
export async function recordServer(
  client: Client,
  { systemIdentifier, timeline, isSynchronous }: RunningServer,
): Promise<void> {
  const values = [systemIdentifier, timeline, isSynchronous];
  const { rowCount } = await client.query(
    `update known_servers set is_synchronous = $3
      where id = (select max(id) from known_servers) and system_identifier = $1 and timeline = $2`,
    values,
  );
  if (!rowCount)
    await client.query(
      'insert into known_servers (system_identifier, timeline, is_synchronous) values ($1, $2, $3)',
      values,
    );
  await client.query('delete from running_server');
  await client.query('insert into running_server values (pg_postmaster_start_time(), $1)', [isSynchronous]);
}

/** Takes the running server as known, when its messages are held already, or nothing was lost. */
export async function acceptServer(client: Client): Promise<void> {
  await recordServer(client, await readServer(client));
}
