/** As much of a JSON schema as our own description uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: (string | number | boolean | null)[];
  examples?: unknown[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema;
}

/** A parameter of an operation. */
export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description: string;
  required?: boolean;
  schema: Schema;
  example?: unknown;
}

/** A body with its schema and one or several examples. */
export interface MediaType {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

/** An answer of an operation. */
export interface ApiResponse {
  description: string;
  headers?: Record<string, Reference>;
  content?: Record<string, MediaType>;
}

/** Stands for a component. */
export interface Reference {
  $ref: string;
}

/** One operation; the key of its response is the status. */
export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  'x-scopes'?: string[];
  parameters: (Parameter | Reference)[];
  requestBody?: { required?: boolean; content: Record<string, MediaType> };
  responses: Record<string, ApiResponse | Reference>;
}

/** A way of presenting credentials. */
interface SecurityScheme {
  type: string;
  description: string;
  name?: string;
  flows?: Record<string, OAuthFlow>;
}

/** A flow of OAuth 2.0 with its endpoints. */
export interface OAuthFlow {
  authorizationUrl: string;
  tokenUrl: string;
  refreshUrl: string;
  scopes: Record<string, string>;
}

/** The API description (OpenAPI 3.1) in the form in which `npm run openapi` writes it. */
export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers: { url: string; description: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    parameters: Record<string, Parameter>;
    responses: Record<string, ApiResponse>;
    headers: Record<string, { description: string; schema: Schema; example: unknown }>;
    securitySchemes: Record<string, SecurityScheme>;
  };
}

/** The last part of a reference: the component's name. */
export function componentName({ $ref }: Reference): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

/** An operation with its method and path. */
export interface OperationEntry {
  method: string;
  path: string;
  operation: Operation;
}

/** The operations of one tag, which share a page. */
export interface Resource {
  name: string;
  slug: string;
  description: string;
  operations: OperationEntry[];
}

/** A resource as the navigation and the search know it. */
export interface ResourceSummary {
  name: string;
  slug: string;
  description: string;
  operations: { id: string; method: string; path: string; summary: string; text: string }[];
}

/** The operations by their tag, both in the order of the document. */
export function resourcesOf({ tags, paths }: OpenApiDocument): Resource[] {
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
  return tags
    .map(({ name, description }) => ({
      name,
      slug: name.toLowerCase().replaceAll(' ', '-'),
      description,
      operations: all.filter(({ operation }) => operation.tags.includes(name)),
    }))
    .filter(({ operations }) => operations.length > 0);
}

/** The operation's parameters with references followed. */
export function parametersOf(document: OpenApiDocument, operation: Operation): Parameter[] {
  return operation.parameters.map((parameter) => {
    if (!('$ref' in parameter)) return parameter;
    const found = document.components.parameters[componentName(parameter)];
    if (found === undefined) throw new Error(`no parameter ${parameter.$ref}`);
    return found;
  });
}

/** The names of all schemas that `value` refers to, also through other schemas, sorted. */
export function schemaNames(document: OpenApiDocument, value: unknown): string[] {
  const names = new Set<string>();
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    for (const [key, child] of Object.entries(part)) {
      if (key === '$ref' && typeof child === 'string') follow(child);
      else if (key !== 'example' && key !== 'examples') visit(child);
    }
  };
  const follow = ($ref: string): void => {
    const name = componentName({ $ref });
    if (!$ref.includes('/schemas/') || names.has(name)) return;
    names.add(name);
    visit(document.components.schemas[name]);
  };
  visit(value);
  return [...names].sort();
}
