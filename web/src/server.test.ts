import { expect, it } from 'vitest';
import { draw } from './server.tsx';

it('draws no page of which an answer is missing, as it would be kept for everybody', async () => {
  const execute = () => Promise.reject(new Error('the database is down'));
  await expect(draw({ path: '/contact', publicUrl: 'https://lot.example', execute })).rejects.toThrow('is down');
});
