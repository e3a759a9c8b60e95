/** The minimum time for which the export and the request show their progress. */
const PROGRESS_MS = 1500;

/** Waits for the work, and at least for the minimum time of its progress. @throws the error of the work */
export async function withProgress<T>(work: Promise<T>): Promise<T> {
  const [outcome] = await Promise.allSettled([work, new Promise((resolve) => setTimeout(resolve, PROGRESS_MS))]);
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}

/** `lotwatch-data-ana-2026-11-21.json`, with dashes for characters that file systems refuse and the local date. */
export function exportFileName(username: string, now: Date): string {
  const name = username
    .split(/[^\p{L}\p{N}_]+/u)
    .filter(Boolean)
    .join('-');
  const date = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0'));
  return ['lotwatch-data', name, ...date].filter(Boolean).join('-').concat('.json');
}
