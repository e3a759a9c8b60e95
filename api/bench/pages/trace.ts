/** An event of a trace of Chromium, in Chrome's trace event format; times in microseconds. */
export interface TraceEvent {
  name: string;
  /** X: with a duration; M: metadata. */
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  /** Processor time of the thread. */
  tdur?: number;
  args?: { name?: string; data?: { type?: string } };
}

/** What a browser's main thread does. `other` is the browser's own work, between the named kinds. */
type Kind = 'script' | 'compile' | 'style' | 'layout' | 'paint' | 'parse' | 'garbage' | 'other';

/** Times of a page's main thread in milliseconds of its processor. */
export interface MainThread {
  taskMs: number;
  longestMs: number;
  /** The tasks above `LONG_TASK_MS`, longest first. */
  longMs: number[];
  /** All of `taskMs` by what was done. */
  by: Record<Kind, number>;
}

/** A task above it is too long for a page that is only opened. */
export const LONG_TASK_MS = 30;

/** The categories that `readMainThread` needs. */
export const TRACE_CATEGORIES = [
  '-*',
  'disabled-by-default-devtools.timeline',
  'devtools.timeline',
  'v8',
  '__metadata',
];

const TASK = 'RunTask';
const MAIN_THREAD = 'CrRendererMain';

const kinds: readonly [Kind, RegExp][] = [
  ['garbage', /^(MinorGC|MajorGC|V8\.GC|BlinkGC|ThreadState)/],
  ['compile', /^(v8\.compile|v8\.produce|v8\.parse|V8\.(Compile|Parse|Deserialize|Bytecode))/],
  [
    'script',
    /^(EvaluateScript|v8\.|V8\.|FunctionCall|EventDispatch|TimerFire|FireAnimationFrame|FireIdleCallback|RunMicrotasks|XHR)/,
  ],
  ['style', /^(UpdateLayoutTree|RecalcStyle|ParseAuthorStyleSheet|ScheduleStyle|InvalidateLayout)/],
  ['layout', /^(Layout$|Layout:|LayoutShift|HitTest|IntersectionObserver)/],
  ['paint', /^(Paint|PrePaint|Layerize|Commit$|UpdateLayer|Composite|Decode|Draw|Raster|ImageDecode)/],
  ['parse', /^(ParseHTML|ParseMetadata)/],
];

const kindOf = (name: string): Kind | null => kinds.find(([, names]) => names.test(name))?.[0] ?? null;

const rounded = (us: number): number => Math.round(us / 100) / 10;

const timeOf = ({ tdur, dur }: TraceEvent): number => tdur ?? dur ?? 0;

const threadOf = ({ pid, tid }: TraceEvent): string => `${pid}/${tid}`;

/** The tasks of the page's main thread: of the renderers' main threads the one that worked most. */
function tasksOf(events: readonly TraceEvent[]): { thread: string; tasks: TraceEvent[] } {
  const mains = new Map<string, { tasks: TraceEvent[]; sum: number }>();
  for (const event of events) {
    if (event.name === 'thread_name' && event.args?.name === MAIN_THREAD) {
      mains.set(threadOf(event), { tasks: [], sum: 0 });
    }
  }
  for (const event of events) {
    const main = event.name === TASK && event.ph === 'X' ? mains.get(threadOf(event)) : undefined;
    if (!main) continue;
    main.tasks.push(event);
    main.sum += timeOf(event);
  }
  const [most] = [...mains].sort(([, one], [, other]) => other.sum - one.sum);
  if (!most || most[1].sum === 0) throw new Error('the trace has no task of a renderer');
  return { thread: most[0], tasks: most[1].tasks };
}

interface Open {
  kind: Kind;
  end: number;
  time: number;
  inner: number;
}

/** The time of each kind within the tasks, without that of the events inside. An event of no kind counts to the one around it. */
function timesByKind(nested: readonly TraceEvent[]): Record<Kind, number> {
  const by: Record<Kind, number> = {
    script: 0,
    compile: 0,
    style: 0,
    layout: 0,
    paint: 0,
    parse: 0,
    garbage: 0,
    other: 0,
  };
  const open: Open[] = [];
  const close = (until: number) => {
    for (let last = open.at(-1); last && last.end <= until; last = open.at(-1)) {
      open.pop();
      by[last.kind] += Math.max(0, last.time - last.inner);
    }
  };
  const sorted = nested.toSorted((one, other) => one.ts - other.ts || (other.dur ?? 0) - (one.dur ?? 0));
  for (const event of sorted) {
    close(event.ts);
    const around = open.at(-1);
    const time = timeOf(event);
    // What stands outside of a task is counted by none.
    if (!around && event.name !== TASK) continue;
    if (around) around.inner += time;
    open.push({
      kind: kindOf(event.name) ?? around?.kind ?? 'other',
      end: event.ts + (event.dur ?? 0),
      time,
      inner: 0,
    });
  }
  close(Number.POSITIVE_INFINITY);
  return by;
}

/** Reads what the main thread of the page did. @throws Error for a trace without tasks of a page */
export function readMainThread(events: readonly TraceEvent[]): MainThread {
  const { thread, tasks } = tasksOf(events);
  const times = tasks.map(timeOf).sort((a, b) => b - a);
  const nested = events.filter((event) => event.ph === 'X' && threadOf(event) === thread);
  const by = timesByKind(nested);
  return {
    taskMs: rounded(times.reduce((sum, time) => sum + time, 0)),
    longestMs: rounded(times[0] ?? 0),
    longMs: times.filter((time) => time > LONG_TASK_MS * 1000).map(rounded),
    by: Object.fromEntries(Object.entries(by).map(([kind, us]) => [kind, rounded(us)])) as Record<Kind, number>,
  };
}
