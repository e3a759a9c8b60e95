import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** The part of a JSON Schema that is used here; the validator uses the rest. */
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

interface ResponseDescription {
  content?: Record<string, Media>;
  headers?: Record<string, { required?: boolean }>;
}

interface ParameterDescription {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  schema?: Schema;
  example?: unknown;
}

interface OperationDescription {
  parameters?: ParameterDescription[];
  requestBody?: { required?: boolean; content?: Record<string, Media> };
  responses: Record<string, ResponseDescription>;
}

/** The part of an OpenAPI 3.1 document that is used here. */
export interface OpenApiDocument {
  openapi: string;
  paths: Record<string, Record<string, unknown>>;
  components?: { schemas?: Record<string, Schema> };
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'];
const DOCUMENT = 'openapi.json';

export interface Operation {
  /** Like `PATCH /api/alerts/{id}`. */
  name: string;
  /** In capitals. */
  method: string;
  /** With its parameters in braces. */
  path: string;
  /** Statuses that are named, without `default` and ranges. */
  statuses: number[];
  parameters: ParameterDescription[];
  /** null where the operation has no body. */
  body: { isRequired: boolean; schema: Schema } | null;
}

/** The described parts of an answer. */
export interface Answer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  text: string;
}

export interface Description {
  operations: Operation[];
  /** Resolves a reference to a schema. @throws when it does not exist */
  resolve(schema: Schema): Schema;
  /** Differences between the answer and the description, a sentence each. */
  faultsOf(operation: Operation, answer: Answer): string[];
}

/** Reads an OpenAPI document. @throws for one that is not well-formed, or whose schemas can't be compiled */
export function readDescription(document: OpenApiDocument): Description {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  addFormats.default(ajv);
  ajv.addSchema(document, DOCUMENT);

  const at = (pointer: string): unknown =>
    pointer
      .replace(/^#\//, '')
      .split('/')
      .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], document);
  function deref<T extends object>(value: T): { value: T; pointer: string | null } {
    const { $ref } = value as { $ref?: string };
    if ($ref === undefined) return { value, pointer: null };
    const target = at($ref) as T | undefined;
    if (!target) throw new Error(`${$ref} is not in the description`);
    const further = deref(target);
    return { value: further.value, pointer: further.pointer ?? $ref };
  }

  const operations: Operation[] = [];
  const responsesOf = new Map<string, Map<string, DescribedResponse>>();
  for (const [path, item] of Object.entries(document.paths)) {
    const shared = (item.parameters ?? []) as ParameterDescription[];
    for (const method of METHODS) {
      const described = item[method] as OperationDescription | undefined;
      if (!described) continue;
      const name = `${method.toUpperCase()} ${path}`;
      const media = described.requestBody && deref(described.requestBody).value.content?.['application/json'];
      const responses = new Map(
        Object.entries(described.responses).map(([status, response]) => {
          const { value, pointer } = deref(response);
          const place = pointer ?? `#/paths/${step(path)}/${method}/responses/${status}`;
          return [status, compileResponse(ajv, place, value)];
        }),
      );
      responsesOf.set(name, responses);
      operations.push({
        name,
        method: method.toUpperCase(),
        path,
        statuses: [...responses.keys()].map(Number).filter(Number.isInteger),
        parameters: [...shared, ...(described.parameters ?? [])].map((parameter) => deref(parameter).value),
        body: media
          ? {
              isRequired: deref(described.requestBody ?? {}).value.required === true,
              schema: media.schema ?? {},
            }
          : null,
      });
    }
  }

  return {
    operations,
    resolve: (schema) => deref(schema).value,
    faultsOf(operation, answer) {
      const responses = responsesOf.get(operation.name);
      const response =
        responses?.get(String(answer.status)) ??
        responses?.get(`${Math.floor(answer.status / 100)}XX`) ??
        responses?.get('default');
      return response ? response(answer) : [`status ${answer.status} is not described`];
    },
  };
}

type DescribedResponse = (answer: Answer) => string[];

const step = (name: string) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));

function compileResponse(ajv: Ajv2020, place: string, response: ResponseDescription): DescribedResponse {
  const checks = new Map<string, ValidateFunction>();
  for (const type of Object.keys(response.content ?? {})) {
    checks.set(type, ajv.compile({ $ref: `${DOCUMENT}${place}/content/${step(type)}/schema` }));
  }
  const needed = Object.entries(response.headers ?? {}).filter(([, header]) => header.required);
  return ({ headers, text }) => {
    const faults = needed
      .filter(([name]) => headers[name.toLowerCase()] === undefined)
      .map(([name]) => `the header ${name} is missing`);
    const type = headers['content-type']?.split(';')[0]?.trim() ?? '';
    if (checks.size === 0) return text === '' ? faults : [...faults, 'a body is not described'];
    const check = checks.get(type);
    if (!check) return [...faults, `content type ${type || 'missing'} is not described`];
    if (!/json$/.test(type)) return faults;
    const texts = type === 'application/x-ndjson' ? text.split('\n').filter(Boolean) : [text];
    return [...faults, ...texts.flatMap((one) => faultsOfJson(check, one))];
  };
}

function faultsOfJson(check: ValidateFunction, text: string): string[] {
  const value = readJson(text);
  if (value === undefined) return ['the body is not valid JSON'];
  if (check(value)) return [];
  return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath || 'the body'} ${message}`);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
