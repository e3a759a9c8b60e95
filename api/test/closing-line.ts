import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule, Vitest } from 'vitest/node';

const firstLinesOf = (errors: ReadonlyArray<{ message: string }>): string =>
  errors.map(({ message }) => message.split('\n', 3).join(' ')).join('; ');

/**
 * Prints `123 passed, 0 failed` as the last line of a run, for any tool to read, and the number of skipped tests above it.
 * With LOTWATCH_COUNTS set, the run is one of several: the counts go to that file instead, with the names and errors of
 * failed tests, those of tests that passed only on a retry, and the number of tests tagged `long` that each file left out.
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
        const describe = () => `${module.relativeModuleId}: ${test.fullName}: ${firstLinesOf(errors)}`;
        if (state === 'failed') failed.push(describe());
        if (test.diagnostic()?.flaky) retried.push(describe());
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
