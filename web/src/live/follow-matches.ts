export interface MatchEvent<M> {
  cursor: string;
  match: M;
}

export interface EventSink<M> {
  next(event: MatchEvent<M>): void;
  /** `isCursorRefused`: the server can't continue from the given cursor. */
  fail(isCursorRefused: boolean): void;
}

export interface FollowOptions<M> {
  /** Opens one subscription. `after` undefined starts now. @returns a function that ends it */
  open(after: string | undefined, sink: EventSink<M>): () => void;
  onMatch(match: M): void;
  /** Loads everything on screen again, because the server refused the cursor. Resolves with the cursor to continue from. */
  reload(): Promise<string | undefined>;
  after?: string | undefined;
}

export interface Follow {
  /** Starts again from the last cursor, so that matches missed while the socket was lost are sent again. */
  restart(): void;
  /** The cursor from which it would continue; undefined while there is none. */
  cursor(): string | undefined;
  stop(): void;
}

const firstDelayMs = 1000;
const maxDelayMs = 30_000;

/** Follows the live matches from a cursor, and continues from the last one seen whenever the subscription ends. */
export function followMatches<M>({ open, onMatch, reload, after }: FollowOptions<M>): Follow {
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
        timer = setTimeout(isCursorRefused ? () => void beginAgain() : begin, delayMs);
        delayMs = Math.min(maxDelayMs, delayMs * 2);
      },
    });
  }

  /** If loading fails, the refused cursor stays, so that the next refusal loads again. */
  async function beginAgain(): Promise<void> {
    const mine = round;
    const fresh = await reload().catch(() => cursor);
    if (mine !== round) return;
    cursor = fresh;
    begin();
  }

  begin();
  return { restart: begin, cursor: () => cursor, stop: end };
}
