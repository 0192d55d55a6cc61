import type { VNode } from 'preact';
import { componentName, type OpenApiDocument, type Operation } from '../openapi-document.js';
import { curlCommand, parametersOf } from './curl.js';
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
