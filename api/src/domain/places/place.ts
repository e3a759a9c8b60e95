export interface Point {
  lat: number;
  lng: number;
}

export interface Place extends Point {
  name: string;
  /** Two letters. */
  state: string;
  zip: string | null;
  population: number;
  /** Like 'Austin, TX'. */
  label: string;
}
