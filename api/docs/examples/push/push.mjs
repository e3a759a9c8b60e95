#!/usr/bin/env node
// Pushes listings to LotWatch. Needs Node 20 and nothing else.
//   INGEST_TOKEN=… node push.mjs SOURCE FILE
// FILE holds a JSON array of listings, or one listing a line; "-" is the standard input.
// LOTWATCH_URL is http://localhost:4000 if unset. Exits with 1 if a listing was rejected or could not be sent.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const MAX_ITEMS = 1000;
const MAX_BYTES = 5 * 1024 * 1024;
const MAX_TRIES = 8;

const [source, file] = process.argv.slice(2);
const base = process.env.LOTWATCH_URL ?? 'http://localhost:4000';
const token = process.env.INGEST_TOKEN;
if (!source || !file || !token) {
  console.error('Usage: INGEST_TOKEN=… node push.mjs SOURCE FILE');
  process.exit(2);
}

function listingsIn(text) {
  if (text.trimStart().startsWith('[')) return JSON.parse(text);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => JSON.parse(line));
}

/** Bodies of one listing a line, none larger than LotWatch takes. */
function* batchesOf(listings) {
  let lines = [];
  let bytes = 0;
  for (const listing of listings) {
    const line = JSON.stringify(listing);
    const size = Buffer.byteLength(line) + 1;
    if (lines.length > 0 && (lines.length === MAX_ITEMS || bytes + size > MAX_BYTES)) {
      yield lines.join('\n');
      lines = [];
      bytes = 0;
    }
    lines.push(line);
    bytes += size;
  }
  if (lines.length > 0) yield lines.join('\n');
}

/** Sends one batch. It may be sent again: what is stored already counts as unchanged. */
async function push(body) {
  for (let tries = 1; ; tries++) {
    let why;
    let seconds = Math.min(60, 2 ** tries);
    try {
      const response = await fetch(`${base}/api/ingest/${source}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
        body,
      });
      if (response.ok) return await response.json();
      why = `${response.status} ${await response.text()}`;
      if (response.status !== 429 && response.status < 500) throw new Error(why);
      seconds = Number(response.headers.get('retry-after')) || seconds;
    } catch (error) {
      if (error.message === why) throw error;
      why = error.cause?.code ?? error.message;
    }
    if (tries === MAX_TRIES) throw new Error(why);
    console.error(`${why}: again in ${seconds} s`);
    await sleep(seconds * 1000);
  }
}

const counts = { received: 0, accepted: 0, updated: 0, unchanged: 0, rejected: 0 };
try {
  for (const body of batchesOf(listingsIn(readFileSync(file === '-' ? 0 : file, 'utf8')))) {
    const answer = await push(body);
    for (const name of Object.keys(counts)) counts[name] += answer[name];
    for (const { status, externalId, code, reason } of answer.results) {
      if (status === 'rejected') console.log(`rejected ${externalId ?? '(no id)'}: ${code}, ${reason}`);
    }
  }
} catch (error) {
  console.error(`Not sent: ${error.message}`);
  process.exitCode = 1;
}
console.log(JSON.stringify(counts));
if (counts.rejected > 0) process.exitCode = 1;
