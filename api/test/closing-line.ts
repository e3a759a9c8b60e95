import type { Reporter, TestModule } from 'vitest/node';

/** Ends a run with one line that any tool can read: `123 passed, 0 failed` (and how many were skipped). */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandled: ReadonlyArray<unknown>): void {
    const count = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed' || state === 'failed' || state === 'skipped') count[state] += 1;
      }
      if (module.state() === 'failed' && module.errors().length > 0) count.failed += 1;
    }
    const failed = count.failed + unhandled.length;
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : '';
    process.stdout.write(`\n${count.passed} passed, ${failed} failed${skipped}\n`);
  }
}
