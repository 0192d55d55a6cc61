import type { VNode } from 'preact';
import {
  componentName,
  type OpenApiDocument,
  type Operation,
  type Parameter,
} from '../openapi-document.js';
import { Phrase, Prose } from './prose.js';
import { Responses } from './responses.js';
import { givenRows, ValueTable, type NamedValue } from './value-table.js';

/** An operation with where it is found. */
export interface PlacedOperation {
  method: string;
  path: string;
  operation: Operation;
}

interface OperationSectionProps extends PlacedOperation {
  document: OpenApiDocument;
}

/** Everything about one operation. */
export function OperationSection({ document, ...placed }: OperationSectionProps): VNode {
  const { method, path, operation } = placed;
  const { operationId, summary, description } = operation;
  const values = [...parameterRows(document, operation), ...bodyRows(document, operation)];
  return (
    <section class="operation" aria-labelledby={operationId}>
      <h3 id={operationId}>
        <a href={`#${operationId}`}>
          <Phrase text={summary} />
        </a>
      </h3>
      <p class="endpoint">
        <Method name={method} /> <code>{path}</code>
      </p>
      <Prose text={description} />
      {values.length > 0 && <ValueTable caption="Parameters" values={values} />}
      <Responses operation={operation} />
      <h4>Call it</h4>
      <pre tabIndex={0}>
        <code>{curlCommand(document, placed)}</code>
      </pre>
    </section>
  );
}

/** The name of an HTTP method as a badge. */
export function Method({ name }: { name: string }): VNode {
  return <span class={`method ${name}`}>{name.toUpperCase()}</span>;
}

function parameterRows(document: OpenApiDocument, operation: Operation): NamedValue[] {
  return parametersOf(document, operation).map((parameter) => ({
    ...parameter,
    note: parameter.required === true ? ('required' as const) : undefined,
    place: parameter.in,
  }));
}

function bodyRows(document: OpenApiDocument, { requestBody }: Operation): NamedValue[] {
  const reference = requestBody?.content['application/json']?.schema.$ref;
  if (reference === undefined) return [];
  const schema = document.components.schemas[componentName({ $ref: reference })];
  return givenRows(schema ?? {}).map((row) => ({ ...row, place: 'body' }));
}

interface Call {
  method: string;
  path: string;
  operation: Operation;
}

/** A command that carries the operation out, with the examples of its required parameters. */
function curlCommand(document: OpenApiDocument, { method, path, operation }: Call): string {
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
function parametersOf(document: OpenApiDocument, operation: Operation): Parameter[] {
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

/** For a POSIX pageContext, which takes everything between apostrophes as it is. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
