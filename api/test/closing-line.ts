import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule, Vitest } from 'vitest/node';

/**
 * Ends a run with one line that any tool can read: `123 passed, 0 failed`; above it, how many were skipped.
 * Where the run is one of several, the counts go to the file that LOTWATCH_COUNTS names instead. With them go the
 * names of those that passed only when they were tried again and why they failed before, and how many tests of each
 * file were left out because they are tagged `long`.
 */
export default class ClosingLine implements Reporter {
  #leavesLong = false;

  onInit({ config }: Vitest): void {
    this.#leavesLong = config.tagsFilter?.includes('!long') ?? false;
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandled: ReadonlyArray<unknown>): void {
    const count = { passed: 0, failed: 0, skipped: 0 };
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
        if (test.diagnostic()?.flaky) {
          const why = errors.map(({ message }) => message.split('\n', 3).join(' ')).join('; ');
          retried.push(`${module.relativeModuleId}: ${test.fullName}: ${why}`);
        }
      }
      if (module.state() === 'failed' && module.errors().length > 0) count.failed += 1;
    }
    count.failed += unhandled.length;
    const file = process.env.LOTWATCH_COUNTS;
    if (file) {
      writeFileSync(file, JSON.stringify({ ...count, retried, left }));
      return;
    }
    const skipped = count.skipped > 0 ? `\n${count.skipped} skipped` : '';
    process.stdout.write(`${skipped}\n${count.passed} passed, ${count.failed} failed\n`);
  }
}
