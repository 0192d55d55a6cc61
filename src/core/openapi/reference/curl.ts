import {
  componentName,
  type OpenApiDocument,
  type Operation,
  type Parameter,
} from '../openapi-document.js';

interface Call {
  method: string;
  path: string;
  operation: Operation;
}

/** A command that carries the operation out, with the examples of its required parameters. */
export function curlCommand(document: OpenApiDocument, { method, path, operation }: Call): string {
  const parameters = parametersOf(document, operation);
  const url = `${document.servers[0]?.url ?? ''}${filledPath(path, parameters)}${query(parameters)}`;
  const body = operation.requestBody?.content['application/json']?.example;
  const lines = [
    `curl ${method === 'get' ? '' : `--request ${method.toUpperCase()} `}"${url}"`,
    ...(needsToken(operation) ? ['--header "PRIVATE-TOKEN: <token>"'] : []),
    ...(body === undefined ? [] : ['--json ' + shellQuoted(JSON.stringify(body))]),
  ];
  return lines.join(' \\\n  ');
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

function needsToken({ security }: Operation): boolean {
  return security.length > 0;
}

function filledPath(path: string, parameters: Parameter[]): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const example = parameters.find((each) => each.in === 'path' && each.name === name)?.example;
    return encodeURIComponent(String(example));
  });
}

function query(parameters: Parameter[]): string {
  const required = parameters.filter((each) => each.in === 'query' && each.required === true);
  const pairs = required.map(({ name, example }) => {
    const values = Array.isArray(example) ? example : [example];
    return values.map((value) => `${name}=${encodeURIComponent(String(value))}`).join('&');
  });
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** For a POSIX shell, which takes everything between apostrophes as it is. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
