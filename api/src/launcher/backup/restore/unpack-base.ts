import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type BaseBackup, baseFolder } from '../backup-folder.ts';
import { countBytes } from '../count-bytes.ts';
import type { RestorePlan } from './plan-restore.ts';

interface ManifestFile {
  Path?: string;
  Size: number;
  Checksum: string;
}

const damaged = (name: string, what: string): Error => new Error(`The base backup ${name} is damaged: ${what}`);

/** Unpacks base.tar.gz, whose checksum is checked on the way. */
async function unpack(folder: string, { name, sha256, bytes }: BaseBackup, target: string, onProgress: Progress) {
  const packed = countBytes((done) => onProgress(done, bytes));
  const tar = spawn('tar', ['-x', '-p', '--no-same-owner', '-f', '-', '-C', target], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let output = '';
  tar.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const ended = once(tar, 'close');
  const source = createReadStream(join(baseFolder(folder), name, 'base.tar.gz'));
  try {
    await pipeline(source, packed.stream, createGunzip(), tar.stdin);
  } catch (error) {
    tar.kill();
    await ended.catch(() => {});
    const fault = error as NodeJS.ErrnoException;
    if (fault.code?.startsWith('Z_') || output === '') throw damaged(name, fault.message);
    throw new Error(`tar: ${output.trim()}`, { cause: error });
  }
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`tar ended with ${code}: ${output.trim()}`);
  if (packed.sha256() !== sha256) throw damaged(name, 'base.tar.gz has another checksum.');
}

/** Compares each file with the server's own manifest of the backup. */
async function verify(folder: string, { name }: BaseBackup, target: string, onProgress: Progress): Promise<void> {
  const text = readFileSync(join(baseFolder(folder), name, 'manifest.json'), 'utf8');
  const end = text.lastIndexOf('"Manifest-Checksum"');
  const manifest = JSON.parse(text) as { Files: ManifestFile[]; 'Manifest-Checksum': string };
  const own = createHash('sha256').update(text.slice(0, end)).digest('hex');
  if (own !== manifest['Manifest-Checksum']) throw damaged(name, 'manifest.json has another checksum.');
  let done = 0;
  for (const { Path: path, Size: size, Checksum: checksum } of manifest.Files) {
    done += 1;
    onProgress(done, manifest.Files.length);
    if (path === undefined) continue;
    const file = join(target, path);
    if (!existsSync(file) || statSync(file).size !== size) throw damaged(name, `${path} has not ${size} bytes.`);
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
    if (hash.digest('hex') !== checksum) throw damaged(name, `${path} has another checksum.`);
  }
}

type Progress = (done: number, all: number) => void;

/** Puts a cluster into an empty folder as the plan says, ready to replay the log. */
export async function unpackCluster(
  folder: string,
  plan: RestorePlan,
  { target, segmentBytes }: { target: string; segmentBytes: number },
  onStep: (step: string, done: number, all: number) => void,
): Promise<void> {
  mkdirSync(target, { recursive: true, mode: 0o700 });
  await unpack(folder, plan.base, target, (done, all) => onStep('unpacked', done, all));
  await verify(folder, plan.base, target, (done, all) => onStep('verified', done, all));
  const wal = join(target, 'pg_wal');
  mkdirSync(wal, { recursive: true, mode: 0o700 });
  for (const [at, { name, path }] of plan.files.entries()) {
    const file = join(wal, name);
    if (path.endsWith('.gz')) {
      await pipeline(createReadStream(path), createGunzip(), createWriteStream(file, { mode: 0o600 }));
      if (statSync(file).size !== segmentBytes) throw new Error(`The log segment ${path} is damaged.`);
    } else {
      copyFileSync(path, file);
      truncateSync(file, segmentBytes);
    }
    onStep('log', at + 1, plan.files.length);
  }
  for (const [name, text] of plan.histories) writeFileSync(join(wal, name), text, { mode: 0o600 });
  writeFileSync(join(target, 'recovery.signal'), '', { mode: 0o600 });
}
