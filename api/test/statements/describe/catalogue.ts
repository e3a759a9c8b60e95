/** What the system catalogue says. */
export interface Catalogue {
  /** The name of a table by its object id. */
  nameOf(table: number): string;
  /** Whether a column never holds null. */
  isNotNull(table: number, column: number): boolean;
  /** The number of a column. */
  columnOf(table: number, name: string): number | undefined;
  /** Whether an operator compares for equality. */
  isEquality(operator: number): boolean;
  functionOf(id: number): { name: string; isStrict: boolean };
}

/** Functions that return null though no argument is. */
export const MAY_RETURN_NULL = new Set([
  'array_length',
  'array_lower',
  'array_upper',
  'json_array_element_text',
  'json_extract_path_text',
  'json_object_field',
  'json_object_field_text',
  'jsonb_array_element',
  'jsonb_array_element_text',
  'jsonb_extract_path_text',
  'jsonb_object_field',
  'jsonb_object_field_text',
  'pg_get_serial_sequence',
  'regexp_match',
  'textregexsubstr',
  'to_regclass',
]);
/** Functions that never return null, whatever they are given. */
export const NEVER_NULL = new Set([
  'array_append',
  'array_remove',
  'concat',
  'concat_ws',
  'format',
  'json_build_array',
  'json_build_object',
  'jsonb_build_object',
  'match_horizon',
  'match_position',
]);
/** Functions whose rows hold no null. */
export const HAS_NO_NULLS = new Set(['generate_series', 'match_bounds']);
export const WINDOW_MAY_BE_NULL = new Set(['lag', 'lead', 'nth_value']);
