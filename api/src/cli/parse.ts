import { parseTitle } from '../domain/titles/vehicle-title.ts';
import { answerLines } from './answer-lines.ts';

const now = new Date();

await answerLines('parse', 'title', (title) => parseTitle(title, now), {
  year: null,
  make: null,
  model: null,
  isCar: null,
});
