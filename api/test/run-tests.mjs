import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * `npm test`: runs every check and every test except those tagged `long`, and prints the counts in one last line.
 * `npm run test:all` (`--all`) runs the long tests as well.
 */
const isWhole = process.argv.includes('--all');
const project = fileURLToPath(new URL('../..', import.meta.url));

/** Whether the types of the web are newer than all that they are generated from, as they are after `npm ci`. */
function hasTypes() {
  const generated = join(project, 'web/src/gql');
  if (!existsSync(join(generated, 'graphql.ts'))) return false;
  const at = Math.min(...readdirSync(generated).map((name) => statSync(join(generated, name)).mtimeMs));
  const sources = readdirSync(join(project, 'web/src'), { recursive: true, withFileTypes: true })
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !path.startsWith(generated));
  const others = ['schema.graphql', 'codegen.yml', 'package-lock.json'].map((name) => join(project, name));
  return [...sources, ...others].every((path) => statSync(path).mtimeMs < at);
}

/** Two rows run at the same time, and the threads of one program would each check the same declarations. */
const typescript = ['node_modules/typescript-native/bin/tsc', '--noEmit', '--singleThreaded', '-p'];
/** A row runs in order, because the types of web and e2e need the output of codegen. */
const checks = [
  [
    ...(hasTypes() ? [] : [['codegen', ['node_modules/@graphql-codegen/cli/esm/bin.js', '--config', 'codegen.yml']]]),
    ['types of web', [...typescript, 'web']],
    ['types of e2e', [...typescript, 'web/e2e']],
    ['types of the worker', [...typescript, 'web/worker']],
    ['types of api', [...typescript, 'api']],
  ],
  [
    ['lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '.']],
    ['schema', ['--import', 'tsx', 'api/src/cli/emit-schema.ts', '--check']],
    ['rooms', ['api/test/rooms/check-rooms.mjs']],
    ['words', ['--import', 'tsx', 'api/test/words/check-words.ts']],
  ],
];
/**
 * Groups run one after another, and the suites of a group at the same time. The launcher's often wait for a process that
 * starts or ends; its long ones measure, and need the machine for themselves.
 */
const groups = isWhole
  ? [[['unit', 'integration']], [['launcher']], [['e2e', 'e2e-alone']]]
  : [[['unit', 'integration'], ['launcher']], [['e2e', 'e2e-alone']]];

const total = { passed: 0, failed: 0, skipped: 0 };
const names = { failed: [], retried: [] };
/** How many tests of each file were left out. */
const left = {};
const folder = mkdtempSync(join(tmpdir(), 'lotwatch-count-'));

const secondsSince = (began) => ((performance.now() - began) / 1000).toFixed(1);

function node(args, stdio, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: project, stdio, env: { ...process.env, ...env } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        output += chunk;
      });
    }
    child.once('error', (error) => resolve({ code: 1, output: String(error) }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

async function check(row) {
  for (const [name, args] of row) {
    const began = performance.now();
    const { code, output } = await node(args, ['ignore', 'pipe', 'pipe']);
    process.stdout.write(`${code === 0 ? '✓' : '✗'} ${name} (${secondsSince(began)} s)\n`);
    if (code !== 0) {
      process.stdout.write(`${output.trimEnd()}\n`);
      names.failed.push(name);
    }
    total[code === 0 ? 'passed' : 'failed'] += 1;
  }
}
/** A machine without a browser installs it meanwhile. The suites in the browser report it where that fails. */
const browser = node(['--import', 'tsx', 'web/e2e/browser/install-chromium.ts'], ['ignore', 'inherit', 'inherit']);

const began = performance.now();
await Promise.all(checks.map(check));
const phases = [`checks ${secondsSince(began)} s`];

/** @param stdio 'inherit', or 'pipe' for a suite beside another, which is printed once it has ended */
async function runSuite(projects, stdio) {
  const began = performance.now();
  const counts = join(folder, `${projects[0]}.json`);
  const chosen = projects.flatMap((name) => ['--project', name]);
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'api/vitest.config.ts', ...chosen];
  if (!isWhole) args.push('--tags-filter=!long');
  const { code, output } = await node(args, ['ignore', stdio, stdio], { LOTWATCH_COUNTS: counts });
  process.stdout.write(output);
  let counted = { passed: 0, failed: 0, skipped: 0, names: { failed: [], retried: [] }, left: {} };
  try {
    counted = JSON.parse(readFileSync(counts, 'utf8'));
  } catch {
    process.stdout.write(`✗ ${projects.join(' and ')}: ended without a count\n`);
  }
  // An error outside a test, or a run without any test, counts as a failure too.
  if (
    counted.failed === 0 &&
    (code !== 0 || counted.passed + counted.skipped + Object.keys(counted.left).length === 0)
  ) {
    counted.failed = 1;
    counted.names.failed.push(`${projects.join(' and ')}: ended with exit code ${code}`);
  }
  for (const key of ['passed', 'failed', 'skipped']) total[key] += counted[key];
  for (const key of ['failed', 'retried']) names[key].push(...counted.names[key]);
  Object.assign(left, counted.left);
  phases.push(`${projects.join(' and ')} ${secondsSince(began)} s`);
}
for (const suites of groups) {
  if (suites === groups.at(-1)) await browser;
  await Promise.all(suites.map((projects, at) => runSuite(projects, at === 0 ? 'inherit' : 'pipe')));
}

rmSync(folder, { recursive: true, force: true });
for (const name of names.failed) process.stdout.write(`\nfailed: ${name}`);
for (const name of names.retried) process.stdout.write(`\npassed only when tried again, so failed: ${name}`);
total.passed -= names.retried.length;
total.failed += names.retried.length;
const leftTests = Object.values(left).reduce((sum, count) => sum + count, 0);
if (leftTests > 0) {
  process.stdout.write(`\nleft to npm run test:all: ${leftTests} tests tagged long`);
  for (const [file, count] of Object.entries(left)) process.stdout.write(`\n  ${String(count).padStart(5)} ${file}`);
}
process.stdout.write(`\n${phases.join(', ')}, ${secondsSince(began)} s in all`);
if (total.skipped > 0) process.stdout.write(`\n${total.skipped} skipped`);
process.stdout.write(`\n\n${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed > 0 ? 1 : 0;
