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
  /** The server can't go on from the cursor, so everything on screen is loaded again. Resolves with the cursor to continue from. */
  reload(): Promise<string | undefined>;
  after?: string | undefined;
}

export interface Follow {
  /** Begins again from the last cursor: called when the socket was lost, so that missed matches are sent again. */
  restart(): void;
  /** Where it would continue; undefined while there is no cursor yet. */
  cursor(): string | undefined;
  stop(): void;
}

const firstDelayMs = 1000;
const longestDelayMs = 30_000;

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
        delayMs = Math.min(longestDelayMs, delayMs * 2);
      },
    });
  }

  /** When loading fails, the refused cursor stays, so the next refusal tries again. */
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
