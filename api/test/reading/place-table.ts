/** Test tables of what people type and the place they mean: `text = Place, ST`, one a line. */
export function placeTable(lines: string): [string, string][] {
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [text = '', label = ''] = line.split(' = ');
      return [text, label];
    });
}
