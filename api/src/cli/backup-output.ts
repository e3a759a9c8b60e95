/** Shows on stderr how far a step is: on a terminal in place, otherwise a line for each quarter. */
export function showProgress(): { step(name: string, done?: number, all?: number): void; end(): void } {
  const isTerminal = process.stderr.isTTY === true;
  let shown = '';
  let isOpen = false;
  const end = () => {
    if (isOpen) process.stderr.write('\n');
    isOpen = false;
  };
  return {
    step(name, done, all) {
      const percent = done === undefined || !all ? undefined : Math.min(100, Math.floor((done / all) * 100));
      const rounded = percent === undefined || isTerminal ? percent : Math.floor(percent / 25) * 25;
      const text = rounded === undefined ? `${name} …` : `${name}: ${rounded} %`;
      if (text === shown) return;
      shown = text;
      if (isTerminal && rounded !== undefined) {
        process.stderr.write(`\r\u001b[K${text}`);
        isOpen = true;
        return;
      }
      end();
      process.stderr.write(`${text}\n`);
    },
    end,
  };
}
