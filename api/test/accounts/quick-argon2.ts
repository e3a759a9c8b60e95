import { createRequire } from 'node:module';
import type { hash as hashFully } from '@node-rs/argon2';

const argon2 = createRequire(import.meta.url)('@node-rs/argon2') as typeof import('@node-rs/argon2');

/** Stands in for Argon2 in the integration tests, which make thousands of hashes: the same with the least costs. */
export const hash: typeof hashFully = (password, options, signal) =>
  argon2.hash(password, { ...options, memoryCost: 8, timeCost: 1 }, signal);
export const { verify } = argon2;
