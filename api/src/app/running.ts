/** A process of LotWatch that serves or works. */
export interface Running {
  close(): Promise<void>;
}
