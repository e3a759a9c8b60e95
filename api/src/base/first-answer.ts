/** The answer to an operation that a signed-in page asks for first, which the server sends with the page. */
export interface FirstAnswer {
  name: string;
  variables: Record<string, unknown>;
  data: Record<string, unknown>;
}
