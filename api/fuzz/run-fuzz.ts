import fc from 'fast-check';
import { percentile } from '../bench/percentile.ts';
import { type Description, readDescription } from './description/read-description.ts';
import type { OpenApiDocument } from './description/schema.ts';
import { type Fault, judge } from './judge.ts';
import type { FuzzOptions } from './options.ts';
import { drafts, hashesPasswords } from './requests/drafts.ts';
import { send } from './requests/send.ts';
import { fillIn } from './world/fill-in.ts';
import { makeWorld, type WorldParts } from './world/people.ts';

export interface FuzzLine {
  fuzz: true;
  requests: number;
  seed: number;
  /** How many answers were a success. */
  ok2xx: number;
  fivexx: number;
  html: number;
  undescribed: number;
  /** Of the calls that hash no password. */
  p99Ms: number;
}

export interface FuzzRun {
  line: FuzzLine;
  /** What was found, a few lines each. */
  findings: string[];
  /** How often an operation answered with a status, as `GET /api/user 200`. */
  seen: Map<string, number>;
}

const SHOWN_BODY = 400;

export async function fetchDescription(url: string): Promise<OpenApiDocument> {
  return (await (await fetch(`${url}/api/openapi.json`)).json()) as OpenApiDocument;
}

/**
 * Sends requests that a description says are right, and odd ones, one after another, and judges each answer by it.
 * @param document by which answers are judged; the server's own
 */
export async function runFuzz(
  parts: WorldParts,
  document: OpenApiDocument,
  { requests, seed }: FuzzOptions,
  onProgress: (done: number) => void = () => {},
): Promise<FuzzRun> {
  const description: Description = readDescription(document);
  const world = await makeWorld(parts);
  const found: Record<Fault, number> = { fivexx: 0, html: 0, undescribed: 0 };
  const findings: string[] = [];
  const seen = new Map<string, number>();
  const times: number[] = [];
  let ok2xx = 0;
  const plan = fc.sample(drafts(description), { numRuns: requests, seed });
  for (const [at, draft] of plan.entries()) {
    const request = fillIn(draft, world);
    const answer = await send(parts.url, request);
    const key = `${draft.operation.name} ${answer.status}`;
    seen.set(key, (seen.get(key) ?? 0) + 1);
    if (answer.status < 300) ok2xx += 1;
    if (!hashesPasswords(draft.operation)) times.push(answer.ms);
    const faults = judge(description, draft.operation, request, answer);
    for (const kind of new Set(faults.map(([fault]) => fault))) found[kind] += 1;
    if (faults.length > 0) {
      const asked = `${request.method} ${request.path} as ${draft.role} ${JSON.stringify(draft.mutation?.kind ?? 'right')}`;
      const what = faults.map(([fault, sentence]) => `    ${fault}: ${sentence}`);
      const body = request.body === undefined ? [] : [`    ${request.body.slice(0, SHOWN_BODY)}`];
      findings.push([`request ${at}: ${asked} → ${answer.status}`, ...body, ...what].join('\n'));
    }
    await world.learn(draft.role, draft.operation, request, answer);
    onProgress(at + 1);
  }
  const p99Ms = Math.round(percentile(times, 0.99) * 10) / 10;
  return { line: { fuzz: true, requests, seed, ok2xx, ...found, p99Ms }, findings, seen };
}
