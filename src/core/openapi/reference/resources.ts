import {
  componentName,
  type OpenApiDocument,
  type Operation,
  type Parameter,
} from '../openapi-document.js';

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
