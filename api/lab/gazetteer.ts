import { makeGazetteer } from '../src/domain/places/places.ts';

/** Read once for all tests of a process, as it takes a fifth of a second. */
export const gazetteer = makeGazetteer();
