import { writeFileSync } from 'node:fs';
import { progress } from '../lab/command-line.ts';
import { collectExamples, type Example, isHeldOut, ownExamples } from './examples.ts';
import { judge, train } from './train.ts';
import { type ReadExample, read } from './word-weights.ts';

const TABLE = new URL('../data/car-evidence.json', import.meta.url);

/** Mistakes by source: cars that are thrown away, and other things that are taken for cars. */
function measure(examples: readonly ReadExample[], evidenceFor: (example: ReadExample) => number | null): void {
  const bySource = new Map<string, { cars: number; lost: number; others: number; taken: number }>();
  for (const example of examples) {
    const counts = bySource.get(example.source) ?? { cars: 0, lost: 0, others: 0, taken: 0 };
    bySource.set(example.source, counts);
    const isTaken = (evidenceFor(example) ?? -1) > 0;
    counts[example.isCar ? 'cars' : 'others']++;
    if (example.isCar !== isTaken) counts[example.isCar ? 'lost' : 'taken']++;
    if (example.isCar !== isTaken && process.env.SHOW_MISTAKES)
      progress(
        `  ${example.source} ${example.isCar ? 'lost' : 'taken'} ${(evidenceFor(example) ?? -99).toFixed(1)}: ${example.title}`,
      );
  }
  const percent = (part: number, whole: number) => (whole === 0 ? '' : ` (${((100 * part) / whole).toFixed(2)} %)`);
  for (const [source, { cars, lost, others, taken }] of [...bySource].sort()) {
    const ofCars = cars === 0 ? '' : `${lost} of ${cars} cars thrown away${percent(lost, cars)} `;
    const ofOthers = others === 0 ? '' : `${taken} of ${others} other things taken${percent(taken, others)}`;
    progress(`${source}: ${ofCars}${ofOthers}`);
  }
}

const folders = process.argv.slice(2);
if (folders.length === 0) {
  progress('Usage: npm run -s train:cars -- FOLDER … (NDJSON files with title and is_car or make_slug)');
  process.exitCode = 1;
} else {
  const collected: Example[] = collectExamples(folders);
  const examples = collected.map(read);
  const own = ownExamples().map(read);
  const held = examples.filter(isHeldOut);
  progress(`${examples.length} titles, ${held.length} of them held out, and ${own.length} of our own`);
  measure(held, judge(train([...examples.filter((example) => !isHeldOut(example)), ...own])));
  const table = train([...examples, ...own]);
  writeFileSync(TABLE, `${JSON.stringify(table, null, ' ')}\n`);
  progress(`Wrote ${Object.keys(table.signs).length} signs and ${Object.keys(table.words).length} words.`);
}
