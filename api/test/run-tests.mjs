import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `npm test`: every check and every test, each counted, with one closing line at the very end. */
const project = fileURLToPath(new URL('../..', import.meta.url));

const typescript = ['node_modules/typescript-native/bin/tsc', '--noEmit', '-p'];
/** Two rows at a time; within a row one after another, for the types of web and e2e are those that codegen writes. */
const checks = [
  [
    ['codegen', ['node_modules/@graphql-codegen/cli/esm/bin.js', '--config', 'codegen.yml']],
    ['types of web', [...typescript, 'web']],
    ['types of e2e', [...typescript, 'web/e2e']],
  ],
  [
    ['lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '.']],
    ['schema', ['--import', 'tsx', 'api/src/cli/emit-schema.ts', '--check']],
    ['types of api', [...typescript, 'api']],
    ['rooms', ['api/test/rooms/check-rooms.mjs']],
  ],
];
/** One after another, so that what is timed in the later ones has the machine for itself. */
const suites = [['unit', 'integration'], ['launcher'], ['e2e', 'e2e-alone']];

const total = { passed: 0, failed: 0, skipped: 0, retried: [] };
const folder = mkdtempSync(join(tmpdir(), 'lotwatch-count-'));

function node(args, stdio, env = {}) {
  return new Promise((settle) => {
    const child = spawn(process.execPath, args, { cwd: project, stdio, env: { ...process.env, ...env } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        output += chunk;
      });
    }
    child.once('error', (error) => settle({ code: 1, output: String(error) }));
    child.once('close', (code) => settle({ code: code ?? 1, output }));
  });
}

async function check(row) {
  for (const [name, args] of row) {
    const began = performance.now();
    const { code, output } = await node(args, ['ignore', 'pipe', 'pipe']);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    process.stdout.write(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)\n`);
    if (code !== 0) process.stdout.write(`${output.trimEnd()}\n`);
    total[code === 0 ? 'passed' : 'failed'] += 1;
  }
}
await Promise.all(checks.map(check));

for (const projects of suites) {
  const counts = join(folder, `${projects[0]}.json`);
  const chosen = projects.flatMap((name) => ['--project', name]);
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'api/vitest.config.ts', ...chosen];
  const { code } = await node(args, 'inherit', { LOTWATCH_COUNTS: counts });
  let counted = { passed: 0, failed: 0, skipped: 0, retried: [] };
  try {
    counted = JSON.parse(readFileSync(counts, 'utf8'));
  } catch {
    process.stdout.write(`✗ ${projects.join(' and ')}: ended without a count\n`);
  }
  // What broke outside a test, or counted nothing at all, is a failure too.
  if (counted.failed === 0 && (code !== 0 || counted.passed + counted.skipped === 0)) counted.failed = 1;
  for (const key of ['passed', 'failed', 'skipped']) total[key] += counted[key];
  total.retried.push(...counted.retried);
}

rmSync(folder, { recursive: true, force: true });
for (const name of total.retried) process.stdout.write(`\npassed only when tried again: ${name}`);
if (total.skipped > 0) process.stdout.write(`\n${total.skipped} skipped`);
process.stdout.write(`\n\n${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed > 0 ? 1 : 0;
