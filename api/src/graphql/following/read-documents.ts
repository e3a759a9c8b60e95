import { type DocumentNode, type GraphQLError, type GraphQLSchema, parse, specifiedRules, validate } from 'graphql';
import { limits, withinLimits } from '../limits.ts';

const KEPT_TEXTS = 100;
const LONGEST_KEPT = 20_000;

export interface ReadDocument {
  document: DocumentNode;
  /** What the schema or our limits have against it. */
  errors: readonly GraphQLError[];
}

/**
 * Parses and validates operations, each text once while it is among the last hundred: thousands of browsers ask the
 * same, and each would keep a tree of its own as long as it follows.
 * @throws GraphQLError when it can't be parsed
 */
export function makeDocumentReader(schema: GraphQLSchema): (text: string) => ReadDocument {
  const rules = [...specifiedRules, withinLimits];
  const kept = new Map<string, ReadDocument>();
  return (text) => {
    const known = kept.get(text);
    if (known) {
      kept.delete(text);
      kept.set(text, known);
      return known;
    }
    const document = parse(text, { maxTokens: limits.tokens });
    const read = { document, errors: validate(schema, document, rules) };
    if (text.length <= LONGEST_KEPT) kept.set(text, read);
    for (const oldest of kept.keys()) {
      if (kept.size <= KEPT_TEXTS) break;
      kept.delete(oldest);
    }
    return read;
  };
}
