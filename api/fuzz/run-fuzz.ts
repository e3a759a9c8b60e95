import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { percentile } from '../lab/percentile.ts';
import { drafts, hashesPasswords } from './drafts.ts';
import { fillIn } from './fill-in.ts';
import { makeWorld, type WorldParts } from './people.ts';
import { type Description, type OpenApiDocument, type Operation, readDescription } from './read-description.ts';
import { type Request, send, type TimedAnswer } from './send.ts';

type Fault = 'fivexx' | 'html' | 'undescribed';

/** Finds the faults of an answer, each with a description. */
function judge(
  { operations, faultsOf }: Description,
  meant: Operation,
  request: Request,
  answer: TimedAnswer,
): [Fault, string][] {
  const faults: [Fault, string][] = [];
  const { status, headers, text } = answer;
  if (status >= 500 && !(status === 503 && codeOf(text) === 'NOT_CONFIGURED'))
    faults.push(['fivexx', text.slice(0, 300)]);
  const type = headers['content-type'] ?? '';
  if (type.includes('html') || /^\s*</.test(text)) faults.push(['html', text.slice(0, 100)]);
  const others = operations.filter(({ path }) => matches(path, request.path));
  const operation = request.method === meant.method ? meant : others.find(({ method }) => method === request.method);
  if (operation)
    return [...faults, ...faultsOf(operation, answer).map((fault): [Fault, string] => ['undescribed', fault])];
  // HEAD is GET without its body; OPTIONS changes nothing. Any other method is refused, with the allowed ones.
  if (request.method === 'HEAD' || request.method === 'OPTIONS') return faults;
  const refused = status === 405 && codeOf(text) === 'METHOD_NOT_ALLOWED' && headers.allow?.includes(meant.method);
  // A caller without permission gets that error first.
  return refused || [401, 403, 413].includes(status)
    ? faults
    : [...faults, ['undescribed', `${request.method} is answered with ${status}`]];
}

const matches = (template: string, path: string): boolean =>
  new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path.split('?')[0] ?? '');

function codeOf(text: string): unknown {
  try {
    return (JSON.parse(text) as { code?: unknown }).code;
  } catch {
    return undefined;
  }
}

interface FuzzOptions {
  requests: number;
  seed: number;
}

const DEFAULT_REQUESTS = 5_000;

function count(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${name} is a whole number from 1, not ${text}`);
  return number;
}

/** @throws Error that says what is wrong with the arguments */
export function readOptions(args: readonly string[]): FuzzOptions {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args: [...args], options: { requests: text, seed: text } });
  return {
    requests: count('requests', values.requests, DEFAULT_REQUESTS),
    seed: count('seed', values.seed, Date.now() % 1_000_000),
  };
}

export interface FuzzLine {
  fuzz: true;
  requests: number;
  seed: number;
  /** How many answers were successes. */
  ok2xx: number;
  fivexx: number;
  html: number;
  undescribed: number;
  /** For calls that hash no password. */
  p99Ms: number;
}

interface FuzzRun {
  line: FuzzLine;
  /** The findings, a few lines each. */
  findings: string[];
  /** How often an operation answered with a status, as `GET /api/user 200`. */
  seen: Map<string, number>;
}

const SHOWN_BODY = 400;

export async function fetchDescription(url: string): Promise<OpenApiDocument> {
  return (await (await fetch(`${url}/api/openapi.json`)).json()) as OpenApiDocument;
}

/**
 * Sends valid and mutated requests of a description one after another, and judges each answer by it.
 * @param document the description for the answers, by default the server's own
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
