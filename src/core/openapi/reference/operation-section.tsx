import type { VNode } from 'preact';
import {
  componentName,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type ApiResponse,
  type MediaType,
  type Reference,
} from '../openapi-document.js';
import {
  Phrase,
  Prose,
  givenRows,
  ValueTable,
  type NamedValue,
  SchemaType,
} from './value-table.js';

/** An operation with its method and path. */
export interface OperationEntry {
  method: string;
  path: string;
  operation: Operation;
}

interface OperationSectionProps extends OperationEntry {
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
      <h4>Example</h4>
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
    location: parameter.in,
  }));
}

function bodyRows(document: OpenApiDocument, { requestBody }: Operation): NamedValue[] {
  const reference = requestBody?.content['application/json']?.schema.$ref;
  if (reference === undefined) return [];
  const schema = document.components.schemas[componentName({ $ref: reference })];
  return givenRows(schema ?? {}).map((row) => ({ ...row, location: 'body' }));
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

/** Quotes text for a POSIX shell. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Returns the anchor of a shared error. */
export function errorAnchor(name: string): string {
  return `error-${name}`;
}

/** Responses of an operation: its own in full, shared errors as links. */
function Responses({ operation }: { operation: Operation }): VNode {
  const entries = Object.entries(operation.responses);
  const own = entries.filter((entry): entry is [string, ApiResponse] => !('$ref' in entry[1]));
  const shared = entries.filter((entry): entry is [string, Reference] => '$ref' in entry[1]);
  return (
    <>
      <h4>Responses</h4>
      {own.map(([status, response]) => (
        <OwnResponse key={status} status={status} response={response} />
      ))}
      {shared.length > 0 && (
        <p class="refusals">
          Also{' '}
          {shared.map(([status, reference], at) => (
            <span key={status}>
              {at > 0 && ', '}
              <a href={`#${errorAnchor(componentName(reference))}`}>{status}</a>
            </span>
          ))}
        </p>
      )}
    </>
  );
}

function OwnResponse({ status, response }: { status: string; response: ApiResponse }): VNode {
  const { description, content = {}, headers = {} } = response;
  return (
    <div class="response">
      <p>
        <strong class="status">{status}</strong> <Phrase text={description} />
      </p>
      {Object.entries(content).map(([mediaType, media]) => (
        <Body key={mediaType} mediaType={mediaType} media={media} />
      ))}
      {Object.keys(headers).length > 0 && (
        <p class="headers">
          Headers:{' '}
          {Object.keys(headers).map((name, at) => (
            <span key={name}>
              {at > 0 && ', '}
              <a href={`#header-${name}`}>{name}</a>
            </span>
          ))}
        </p>
      )}
    </div>
  );
}

/** Schema and examples of a body. */
export function Body({ mediaType, media }: { mediaType: string; media: MediaType }): VNode {
  const examples = Object.entries(media.examples ?? {}).map(([name, { value }]) => ({
    name,
    value,
  }));
  const all = media.example === undefined ? examples : [{ name: 'Example', value: media.example }];
  return (
    <>
      <p>
        <code>{mediaType}</code>: <SchemaType schema={media.schema} />
      </p>
      {all.map(({ name, value }) => (
        <details key={name}>
          <summary>{name}</summary>
          <pre tabIndex={0}>
            <code>{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</code>
          </pre>
        </details>
      ))}
    </>
  );
}
