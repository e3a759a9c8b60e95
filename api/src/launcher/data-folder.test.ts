import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { folderOfTest } from '../../test/set-up.ts';
import { FolderInUse, lockFolder } from './data-folder.ts';
import { readStartTime } from './processes/os-processes.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = folderOfTest();
  path = join(folder, 'lock');
});

const heldBy = (pid: number, startedAt: string | undefined) =>
  writeFileSync(path, JSON.stringify({ pid, startedAt, since: '2026-01-02T03:04:05.000Z', address: 'http://here:1' }));

describe('the lock of a data folder', () => {
  it('is taken, refused to others and released', () => {
    const lock = lockFolder(folder, path, 'http://here:1');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid, address: 'http://here:1' });
    lock.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('reports its holder, with the time and the address', () => {
    const other = spawn('sleep', ['30']);
    try {
      heldBy(other.pid ?? 0, readStartTime(other.pid ?? 0));
      expect(() => lockFolder(folder, path, '')).toThrow(FolderInUse);
      expect(() => lockFolder(folder, path, '')).toThrow(
        new RegExp(`process ${other.pid} .*2026-01-02T03:04:05.000Z .*http://here:1`),
      );
      expect(readdirSync(folder)).toEqual(['lock']);
    } finally {
      other.kill('SIGKILL');
    }
  });

  it('is taken over from a dead process', () => {
    heldBy(spawnSync('true').pid, 'whatever');
    lockFolder(folder, path, 'mine').release();
  });

  it('is taken over when its holder’s id now belongs to another process', () => {
    heldBy(process.ppid, 'a boot long ago:17');
    lockFolder(folder, path, 'mine').release();
  });

  it('is taken over when it can’t be read', () => {
    writeFileSync(path, '{"pid":');
    lockFolder(folder, path, 'mine').release();
  });

  it('is taken over by one of many concurrent processes', async () => {
    heldBy(spawnSync('true').pid, 'whatever');
    const code = `
      const { lockFolder } = await import(${JSON.stringify(new URL('./data-folder.ts', import.meta.url).href)});
      try { lockFolder(${JSON.stringify(folder)}, ${JSON.stringify(path)}, 'x'); console.log('mine'); }
      catch { console.log('taken'); }
      process.stdin.resume();
    `;
    const racers = Array.from({ length: 6 }, () =>
      spawn(process.execPath, ['--import', import.meta.resolve('tsx'), '--input-type=module', '-e', code]),
    );
    const says = await Promise.all(
      racers.map(
        ({ stdout }) => new Promise<string>((resolve) => stdout.on('data', (chunk) => resolve(String(chunk).trim()))),
      ),
    );
    // The winner holds it until the last process has tried, however late that started.
    for (const { stdin } of racers) stdin.end();
    expect(says.filter((word) => word === 'mine')).toHaveLength(1);
    expect(says.filter((word) => word === 'taken')).toHaveLength(5);
  }, 20_000);
});
