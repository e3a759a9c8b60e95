import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule, Vitest } from 'vitest/node';

const firstLinesOf = (errors: ReadonlyArray<{ message: string }>): string =>
  errors.map(({ message }) => message.split('\n', 3).join(' ')).join('; ');

/**
 * Ends a run with one line that any tool can read: `123 passed, 0 failed`; above it, how many were skipped.
 * Where the run is one of several, the counts go to the file that LOTWATCH_COUNTS names instead. With them go the
 * names of those that failed and why, of those that passed only when they were tried again and why they failed before,
 * and how many tests of each file were left out because they are tagged `long`.
 */
export default class ClosingLine implements Reporter {
  #leavesLong = false;

  onInit({ config }: Vitest): void {
    this.#leavesLong = config.tagsFilter?.includes('!long') ?? false;
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandled: ReadonlyArray<{ message: string }>): void {
    const count = { passed: 0, failed: 0, skipped: 0 };
    const failed: string[] = [];
    const retried: string[] = [];
    const left: Record<string, number> = {};
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state, errors = [] } = test.result();
        if (state === 'skipped' && this.#leavesLong && test.tags.includes('long')) {
          left[module.relativeModuleId] = (left[module.relativeModuleId] ?? 0) + 1;
          continue;
        }
        if (state === 'passed' || state === 'failed' || state === 'skipped') count[state] += 1;
        const said = () => `${module.relativeModuleId}: ${test.fullName}: ${firstLinesOf(errors)}`;
        if (state === 'failed') failed.push(said());
        if (test.diagnostic()?.flaky) retried.push(said());
      }
      if (module.state() === 'failed' && module.errors().length > 0) {
        count.failed += 1;
        failed.push(`${module.relativeModuleId}: ${firstLinesOf(module.errors())}`);
      }
    }
    count.failed += unhandled.length;
    if (unhandled.length > 0) failed.push(`outside of a test: ${firstLinesOf(unhandled)}`);
    const file = process.env.LOTWATCH_COUNTS;
    if (file) {
      writeFileSync(file, JSON.stringify({ ...count, names: { failed, retried }, left }));
      return;
    }
    const skipped = count.skipped > 0 ? `\n${count.skipped} skipped` : '';
    process.stdout.write(`${skipped}\n${count.passed} passed, ${count.failed} failed\n`);
  }
}
