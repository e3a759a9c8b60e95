/**
 * Lets the statements of a transaction wait for locks on the servers of a cluster no longer than at the coordinator: Citus passes
 * on what a transaction sets, each setting by a command of its own.
 * @param run runs a statement in the transaction, which has just begun
 */
export async function limitServerWaits(run: (statement: string) => Promise<unknown>, lockMs: number): Promise<void> {
  await run("set local citus.propagate_set_commands = 'local'");
  await run(`set local lock_timeout = ${lockMs}`);
}
