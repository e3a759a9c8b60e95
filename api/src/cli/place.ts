import { makeGazetteer } from '../domain/places/places.ts';
import { answerLines } from './answer-lines.ts';

const gazetteer = makeGazetteer();
const nowhere = { name: null, state: null, zip: null, lat: null, lng: null };

await answerLines(
  'place',
  'text',
  (text) => {
    const place = gazetteer.resolve(text);
    if (!place) return nowhere;
    const { name, state, zip, lat, lng } = place;
    return { name, state, zip, lat, lng };
  },
  nowhere,
);
