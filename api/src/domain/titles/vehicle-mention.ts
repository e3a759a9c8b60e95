import type { Span } from './title-words.ts';
import type { ModelName } from './vehicle-names.ts';

/** A car that a title names, with its place among the words. */
export interface VehicleMention {
  make: string;
  model: ModelName;
  /** The words of the make, or of the model if it implies the make. */
  makeSpan: Span;
  /** The words of the model, even of one that the catalogue doesn't have. */
  modelSpan: Span | null;
  /** The name may be an ordinary word, so that other words must confirm it. */
  weak: boolean;
  /** The make is not written, but implied by its model. */
  implied: boolean;
  /** Make or model is written with a mistake. */
  misspelt: boolean;
}

/** A make and its model, both written as the catalogue or an alias has them. */
export const mentionOf = (make: string, model: ModelName, makeSpan: Span, modelSpan: Span): VehicleMention => ({
  make,
  model,
  makeSpan,
  modelSpan,
  weak: false,
  implied: false,
  misspelt: false,
});
