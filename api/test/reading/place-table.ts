/** Parses a test table of typed texts and the places they mean, one `text = Place, ST` a line. */
export function placeTable(lines: string): [string, string][] {
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [text = '', label = ''] = line.split(' = ');
      return [text, label];
    });
}
