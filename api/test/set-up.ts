import { rmSync } from 'node:fs';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type Answer, startLocalServer } from '../lab/local-server.ts';
import { makeTemporaryFolder } from '../lab/temporary-folder.ts';

function makeFolder(atEnd: (remove: () => void) => void): string {
  const folder = makeTemporaryFolder();
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Makes a folder for the tests of a file, which is deleted after them. Call it at the top of the file. */
export const setUpFolder = (): string => makeFolder(afterAll);

/** Makes a folder for one test, which is deleted after it. Call it in the test or in a `beforeEach`. */
export const folderOfTest = (): string => makeFolder(onTestFinished);

/**
 * Starts an HTTP server for the tests of a file, which closes after them. Call it at the top of the file; the address is
 * filled before the tests.
 */
export function setUpServer(answer: Answer): { url: string } {
  const server = { url: '', close: async () => {} };
  beforeAll(async () => void Object.assign(server, await startLocalServer(answer)));
  afterAll(() => server.close());
  return server;
}

/** Starts an HTTP server for one test, which closes after it. @returns its address */
export async function serverOfTest(answer: Answer): Promise<string> {
  const { url, close } = await startLocalServer(answer);
  onTestFinished(close);
  return url;
}
