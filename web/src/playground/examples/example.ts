/** An operation to start from, as a tab of the playground holds it. */
export interface Example {
  name: string;
  /** What it shows, in a few words. */
  about: string;
  /** One named operation; its comments are for its users. */
  query: string;
  variables?: Record<string, unknown>;
}

export interface ExampleGroup {
  title: string;
  /** Who may run them. */
  about: string;
  examples: readonly Example[];
}
