import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { makePool } from '../../api/src/base/database.ts';
import { findChromium } from './browser/find-chromium.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = fileURLToPath(new URL('screenshots', import.meta.url));
const START_PATIENCE_MS = 120_000;
const MATCH_PATIENCE_MS = 120_000;
/** What the README can carry. */
const MAX_BYTES = 300_000;

const alerts = [
  'make: "ford", model: "f-150", location: "Bakersfield, CA", radius: 100',
  'make: "honda", model: "civic", location: "Pasadena, CA", radius: 25, yearMin: 2012, priceMax: 15000',
  'make: "toyota", model: "camry", location: "Los Angeles, CA", radius: 50, yearMin: 2013, priceMax: 25000',
];

interface LotWatch {
  url: string;
  dataDir: string;
  stop(): Promise<void>;
}

const freePort = () =>
  new Promise<number>((settle) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => settle(typeof address === 'object' && address ? address.port : 0));
    });
  });

/** LotWatch as a newcomer has it, in a folder of its own. */
async function startLotWatch(): Promise<LotWatch> {
  const dataDir = mkdtempSync(join(tmpdir(), 'lotwatch-screenshots-'));
  const port = await freePort();
  const server = spawn(process.execPath, ['--import', 'tsx', 'api/src/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, DEMO_SEED: '11', RATE_LIMITS: 'off' },
  });
  const ended = new Promise((settle) => server.once('exit', settle));
  const stop = async () => {
    server.kill('SIGTERM');
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  };
  const url = `http://localhost:${port}`;
  for (const end = Date.now() + START_PATIENCE_MS; Date.now() < end && server.exitCode === null; await sleep(200)) {
    if (
      await fetch(url).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return { url, dataDir, stop };
  }
  await stop();
  throw new Error('LotWatch did not start');
}

/** A buyer with three alerts, as a paid plan allows. @returns the cookies, and the last alert's id */
async function makeBuyer(browser: Browser, { url, dataDir }: LotWatch) {
  const context = await browser.newContext({ baseURL: url });
  const ask = async (query: string): Promise<Record<string, { id: string }>> => {
    const answer = await context.request.post('/graphql', { data: { query }, headers: { origin: url } });
    const { data, errors } = await answer.json();
    if (errors) throw new Error(JSON.stringify(errors));
    return data;
  };
  await ask('mutation { register(input: {username: "ana", password: "secret-1", email: "ana@example.com"}) { id } }');
  const pool = makePool(readFileSync(join(dataDir, 'database-url'), 'utf8').trim(), 1, 'screenshots');
  await pool.query("update users set plan_id = 2 where username = 'ana'");
  await pool.end();
  let alertId = '';
  for (const alert of alerts) {
    alertId = (await ask(`mutation { createAlert(input: {${alert}}) { id } }`)).createAlert?.id ?? '';
  }
  const storageState = await context.storageState();
  await context.close();
  return { storageState, alertId };
}

async function take(page: Page, name: string): Promise<void> {
  // Photos load when they come near; a picture waits for those that it shows.
  await page.waitForLoadState('networkidle').catch(() => undefined);
  await sleep(600);
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path });
  const bytes = statSync(path).size;
  if (bytes > MAX_BYTES) throw new Error(`${name}.png has ${bytes} bytes`);
  process.stdout.write(`${name}.png ${Math.round(bytes / 1000)} kB\n`);
}

async function main(): Promise<void> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('no Chromium: set CHROMIUM to its path');
  const lotWatch = await startLotWatch();
  try {
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
    const { storageState, alertId } = await makeBuyer(browser, lotWatch);
    const open = async (path: string, options: BrowserContextOptions) => {
      const context = await browser.newContext({
        baseURL: lotWatch.url,
        viewport: { width: 1280, height: 900 },
        // A car that slides in is half there.
        reducedMotion: 'reduce',
        timezoneId: 'America/Los_Angeles',
        ...options,
      });
      const page = await context.newPage();
      await page.goto(path);
      return page;
    };
    await take(await open('/', { colorScheme: 'light' }), 'landing-desktop-light');

    const alert = await open(`/alert/${alertId}`, { colorScheme: 'light', storageState });
    await alert.getByRole('article').nth(2).waitFor({ timeout: MATCH_PATIENCE_MS });
    await alert.getByText('mailed +').first().waitFor({ timeout: MATCH_PATIENCE_MS });
    await alert.getByText('a match reaches you in').waitFor({ timeout: MATCH_PATIENCE_MS });
    // One that was looked at beside one that is new.
    const opened = alert.waitForEvent('popup');
    await alert.getByRole('article').nth(1).getByRole('link', { name: 'View on Marketplace' }).click();
    await (await opened).close();
    await alert.bringToFront();
    await take(alert, 'alert-desktop-light');

    const dashboard = await open('/dashboard', { colorScheme: 'dark', storageState });
    await dashboard.getByRole('article').nth(2).waitFor();
    await take(dashboard, 'dashboard-desktop-dark');

    const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
    const small = await open(`/alert/${alertId}`, { ...phone, colorScheme: 'light', storageState });
    await small.getByRole('article').first().waitFor();
    await take(small, 'alert-phone-light');
    await browser.close();
  } finally {
    await lotWatch.stop();
  }
}

await main();
