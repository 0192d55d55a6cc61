import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** A JSON schema as far as requests are made from it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  format?: string;
  example?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  schema: Schema;
  example?: unknown;
}

interface Described {
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { $ref?: string; content?: Record<string, unknown> }>;
}

/** One operation of docs/openapi.json, its references followed. */
export interface DescribedOperation {
  method: string;
  path: string;
  parameters: Parameter[];
  /** Properties of the JSON body. */
  body: Record<string, Schema> | null;
  responses: Described['responses'];
}

type Json = Record<string, unknown>;

/** The committed description of the API, to make requests from and to hold answers against. */
export class ApiDescription {
  readonly operations: DescribedOperation[];
  private readonly document: Json;
  private readonly ajv = new Ajv2020({ strict: false, allErrors: false });
  private readonly validators = new Map<string, ValidateFunction>();

  constructor(file = 'docs/openapi.json') {
    this.document = JSON.parse(readFileSync(file, 'utf8')) as Json;
    // ajv-formats is CommonJS: its function is the default export's default.
    (addFormats as unknown as { default: (ajv: Ajv2020) => void }).default(this.ajv);
    this.ajv.addSchema(closed(this.document) as Json, 'api');
    const paths = this.document['paths'] as Record<string, Record<string, Described>>;
    this.operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
        .map(([method, described]) => this.operation(method, path, described)),
    );
  }

  /** Returns the target of a reference; other values unchanged. */
  resolve<T extends object>(value: T | { $ref?: string }): T {
    const reference = (value as { $ref?: string }).$ref;
    if (reference === undefined) return value as T;
    const parts = reference.replace('#/', '').split('/');
    const found = parts.reduce<unknown>(
      (at, part) => (at as Json)[part.replaceAll('~1', '/').replaceAll('~0', '~')],
      this.document,
    );
    return this.resolve(found as T);
  }

  /** Returns the problem with the status, media type or body of a response, or null. */
  complaint(
    operation: DescribedOperation,
    answer: { status: number; type: string; body: string },
  ): string | null {
    const response = operation.responses[String(answer.status)];
    if (response === undefined) return `status ${answer.status} is not described`;
    const { content } = this.resolve<{ content?: Record<string, unknown> }>(response);
    if (content === undefined) return answer.body === '' ? null : 'has a body, none is described';
    const type = answer.type.split(';')[0] ?? '';
    if (!(type in content)) return `media type ${type} is not described`;
    if (type !== 'application/json') return null;
    const validate = this.validator(operation, response, String(answer.status));
    if (validate(JSON.parse(answer.body))) return null;
    return `body: ${this.ajv.errorsText(validate.errors)}`;
  }

  private validator(
    { method, path }: DescribedOperation,
    response: { $ref?: string },
    status: string,
  ): ValidateFunction {
    const key = encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'));
    const own = `#/paths/${key}/${method.toLowerCase()}/responses/${status}`;
    const pointer = `api${response.$ref ?? own}/content/application~1json/schema`;
    const known = this.validators.get(pointer);
    if (known !== undefined) return known;
    const validate = this.ajv.compile({ $ref: pointer });
    this.validators.set(pointer, validate);
    return validate;
  }

  private operation(method: string, path: string, described: Described): DescribedOperation {
    const content = described.requestBody?.content ?? {};
    const schema = content['application/json']?.schema;
    const body = schema === undefined ? null : this.resolve<Schema>(schema).properties;
    return {
      method: method.toUpperCase(),
      path,
      parameters: (described.parameters ?? []).map((one) => this.resolve<Parameter>(one)),
      body: body ?? (schema === undefined ? null : {}),
      responses: described.responses,
    };
  }
}

/** Returns the schema with every object closed, so that undescribed keys are errors. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === 'example' ? inner : closed(inner)]),
  );
  const isOpen = 'properties' in copy && copy['type'] === 'object' && !('allOf' in copy);
  return isOpen && !('additionalProperties' in copy)
    ? { ...copy, additionalProperties: false }
    : copy;
}
