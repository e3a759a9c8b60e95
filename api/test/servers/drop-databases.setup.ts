import { afterAll } from 'vitest';
import { dropTestDatabases } from '../database.ts';

// Before all hooks of the file, so that it runs after them.
afterAll(dropTestDatabases);
