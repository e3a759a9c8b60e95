export interface MatchEvent<M> {
  cursor: string;
  match: M;
}

export interface EventSink<M> {
  next(event: MatchEvent<M>): void;
  /** `isCursorRefused`: the server can't go on from the cursor it was given. */
  fail(isCursorRefused: boolean): void;
}

export interface FollowOptions<M> {
  /** Opens one subscription and returns what ends it. `after` undefined starts now. */
  open(after: string | undefined, sink: EventSink<M>): () => void;
  onMatch(match: M): void;
  /** The server can't go on from the cursor, so all that is shown is loaded anew. Settles with where to go on. */
  startAnew(): Promise<string | undefined>;
  after?: string | undefined;
}

export interface Follow {
  /** Begins anew from the last cursor: called when the socket was lost, so that what was missed is sent again. */
  restart(): void;
  /** Where it would go on; undefined while it has no place to go on from. */
  cursor(): string | undefined;
  stop(): void;
}

const firstDelayMs = 1000;
const longestDelayMs = 30_000;

/** Follows the live matches from a cursor and goes on from the last one seen, whatever ends the subscription. */
export function followMatches<M>({ open, onMatch, startAnew, after }: FollowOptions<M>): Follow {
  let cursor = after;
  let close: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let delayMs = firstDelayMs;
  let round = 0;

  function end(): void {
    round += 1;
    clearTimeout(timer);
    close?.();
    close = undefined;
  }

  function begin(): void {
    end();
    const mine = round;
    const isOver = () => mine !== round;
    close = open(cursor, {
      next(event) {
        if (isOver()) return;
        delayMs = firstDelayMs;
        cursor = event.cursor;
        onMatch(event.match);
      },
      fail(isCursorRefused) {
        if (isOver()) return;
        end();
        timer = setTimeout(isCursorRefused ? () => void beginAnew() : begin, delayMs);
        delayMs = Math.min(longestDelayMs, delayMs * 2);
      },
    });
  }

  /** A start that fails is tried again by the next refusal: the refused cursor stays until there is another. */
  async function beginAnew(): Promise<void> {
    const mine = round;
    const fresh = await startAnew().catch(() => cursor);
    if (mine !== round) return;
    cursor = fresh;
    begin();
  }

  begin();
  return { restart: begin, cursor: () => cursor, stop: end };
}
