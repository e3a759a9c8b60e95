/** An example operation for a tab of the playground. */
export interface Example {
  name: string;
  /** A short description. */
  about: string;
  /** One named operation, with comments for its users. */
  query: string;
  variables?: Record<string, unknown>;
}

export interface ExampleGroup {
  title: string;
  /** Who may run them. */
  about: string;
  examples: readonly Example[];
}
