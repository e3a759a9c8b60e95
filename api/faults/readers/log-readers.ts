import { setTimeout as sleep } from 'node:timers/promises';
import { ask, type Buyer, type Door, isForGood, Refused } from '../world/buyers.ts';
import { type CursorReader, type MatchLine, matchLine, pairOfLine } from './cursor-reader.ts';

const EVERY_MS = 600;
const PATIENCE_MS = 8_000;

/** Reads what comes after a cursor; `more` where there is more already. @throws Refused, or anything for no answer */
type ReadAfter = (after: string | null) => Promise<{ lines: MatchLine[]; more: boolean }>;

const logQuery = `query ($after: String) { matchLog(after: $after) { nodes { ${matchLine} } hasMore } }`;

const throughGraphql =
  (door: Door, buyer: Buyer): ReadAfter =>
  async (after) => {
    const { matchLog } = await ask<{ matchLog: { nodes: MatchLine[]; hasMore: boolean } }>(door, buyer, logQuery, {
      after,
    });
    return { lines: matchLog.nodes, more: matchLog.hasMore };
  };

const throughExport =
  (door: Door, buyer: Buyer): ReadAfter =>
  async (after) => {
    const query = after === null ? '' : `?after=${after}`;
    const response = await fetch(`${door.url}/api/matches/export${query}`, {
      headers: { cookie: buyer.cookie },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await response.text();
    if (response.status !== 200) {
      const { code, message } = JSON.parse(text) as { code: string; message: string };
      throw new Refused(code, message);
    }
    const lines = text.split('\n').filter((line) => line !== '');
    return { lines: lines.map((line) => JSON.parse(line) as MatchLine), more: false };
  };

function startLogReader(name: string, buyer: Buyer, read: ReadAfter): CursorReader {
  const stopping = new AbortController();
  let after: string | null = null;
  async function readOn(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const { lines, more } = await read(after);
        const at = Date.now();
        reader.deliveries.push(...lines.map((line) => ({ pair: pairOfLine(line), at })));
        after = lines.at(-1)?.cursor ?? after;
        if (more) continue;
      } catch (error) {
        reader.disconnects += 1;
        if (isForGood(error) && after !== null) {
          after = null;
          reader.anew.push(Date.now());
        }
      }
      await sleep(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }
  const reader: CursorReader = {
    name: `${name} of ${buyer.email}`,
    owner: buyer.email,
    deliveries: [],
    anew: [],
    disconnects: 0,
    async stop() {
      stopping.abort();
      await reading;
    },
  };
  const reading = readOn();
  return reader;
}

/** Asks GraphQL's `matchLog` again and again with the cursor that it keeps. */
export const startGraphqlReader = (door: Door, buyer: Buyer): CursorReader =>
  startLogReader('matchLog', buyer, throughGraphql(door, buyer));

/** Asks for `GET /api/matches/export` again and again with the cursor of the last line. */
export const startExportReader = (door: Door, buyer: Buyer): CursorReader =>
  startLogReader('export', buyer, throughExport(door, buyer));
