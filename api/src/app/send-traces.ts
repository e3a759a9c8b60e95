import type { Log } from '../base/log.ts';
import type { Settings } from '../base/settings/settings.ts';

/** Sends what this process does as traces, by code that is loaded only where an endpoint is set. */
export async function sendTraces(
  { traces, role }: Pick<Settings, 'traces' | 'role'>,
  log: Log,
): Promise<{ close(): Promise<void> }> {
  if (!traces) return { close: async () => {} };
  const { startTracing } = await import('../tracing/start-tracing.ts');
  return startTracing(traces, `lotwatch-${role}`, log);
}
