export interface Terminal {
  /** Shows that a step runs and, at its end, how long it took. */
  step<T>(name: string, work: () => Promise<T>, note?: (result: T) => string): Promise<T>;
  line(text: string): void;
  problem(text: string): void;
  /** From here on nothing more is painted over. */
  finish(): void;
}

const SPINNER = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/** The launcher's lines for the person who started it; colours and a running line only where a terminal shows them. */
export function openTerminal(stream: NodeJS.WriteStream): Terminal {
  const painted = stream.isTTY === true && process.env.TERM !== 'dumb';
  const color = (code: number, text: string): string =>
    painted && process.env.NO_COLOR === undefined ? `\u001b[${code}m${text}\u001b[0m` : text;
  const running = new Map<string, number>();
  let frame = 0;
  let ticker: NodeJS.Timeout | undefined;
  let shown = false;

  function write(text: string): void {
    if (shown) stream.write('\r\u001b[K');
    shown = false;
    stream.write(text);
  }
  function paint(): void {
    const oldest = [...running.values()][0];
    if (!painted || oldest === undefined) return;
    frame += 1;
    const text = `  ${SPINNER[frame % SPINNER.length]} ${[...running.keys()].join(', ')} … ${seconds(oldest)}`;
    write(color(2, text.slice(0, (stream.columns ?? 80) - 1)));
    shown = true;
  }
  // A terminal that is gone must not end the server.
  stream.on('error', () => {});

  return {
    async step(name, work, note) {
      const since = performance.now();
      running.set(name, since);
      if (painted) ticker ??= setInterval(paint, 100).unref();
      else stream.write(`  … ${name}\n`);
      try {
        const result = await work();
        const extra = note?.(result) ?? '';
        write(`  ${color(32, '✓')} ${name.padEnd(20)} ${seconds(since).padStart(7)}  ${color(2, extra)}`.trimEnd());
        stream.write('\n');
        return result;
      } catch (error) {
        write(`  ${color(31, '✗')} ${name.padEnd(20)} ${seconds(since).padStart(7)}\n`);
        throw error;
      } finally {
        running.delete(name);
        if (running.size === 0) {
          clearInterval(ticker);
          ticker = undefined;
        }
      }
    },
    line: (text) => write(`${text}\n`),
    problem: (text) => write(`${color(33, '!')} ${text}\n`),
    finish: () => {
      clearInterval(ticker);
      running.clear();
      write('');
    },
  };
}
