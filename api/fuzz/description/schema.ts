/** What is read of a JSON Schema; the rest is for the validator. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  default?: unknown;
  example?: unknown;
  examples?: unknown[];
}

interface Media {
  schema?: Schema;
}

export interface ResponseDescription {
  content?: Record<string, Media>;
  headers?: Record<string, { required?: boolean }>;
}

export interface ParameterDescription {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  schema?: Schema;
  example?: unknown;
}

export interface OperationDescription {
  parameters?: ParameterDescription[];
  requestBody?: { required?: boolean; content?: Record<string, Media> };
  responses: Record<string, ResponseDescription>;
}

/** An OpenAPI 3.1 document, as far as it is read here. */
export interface OpenApiDocument {
  openapi: string;
  paths: Record<string, Record<string, unknown>>;
  components?: { schemas?: Record<string, Schema> };
}
