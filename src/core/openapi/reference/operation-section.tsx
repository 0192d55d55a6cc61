import type { VNode } from 'preact';
import { Badge, type Tone } from '../../ui/components/content.js';
import { Copyable, CopyButton } from '../../ui/components/copy.js';
import {
  componentName,
  parametersOf,
  type ApiResponse,
  type MediaType,
  type OpenApiDocument,
  type Operation,
  type OperationEntry,
  type Reference,
} from '../openapi-document.js';
import { codeExamples, exampleBody, type Language } from './code-examples.js';
import {
  Phrase,
  Prose,
  givenRows,
  ValueTable,
  type NamedValue,
  SchemaType,
} from './value-table.js';

/** The overview of the reference, which describes what all resources share. */
export const REFERENCE_PATH = '/-/docs/api';

const TONES: Record<string, Tone> = {
  get: 'info',
  post: 'success',
  put: 'warning',
  patch: 'warning',
  delete: 'danger',
};

/** The name of an HTTP method as a badge. */
export function Method({ name }: { name: string }): VNode {
  return <Badge tone={TONES[name] ?? 'neutral'}>{name.toUpperCase()}</Badge>;
}

/** Ends the descriptions of operations; the section lists the scopes by themselves. */
const SCOPES_SENTENCE = /Tokens require (?:the scope|one of the scopes) [^.]*\.$/;

interface OperationSectionProps {
  document: OpenApiDocument;
  entry: OperationEntry;
}

/** Everything about one operation: its meaning beside its examples. */
export function OperationSection({ document, entry }: OperationSectionProps): VNode {
  const { method, path, operation } = entry;
  const { operationId, summary, description } = operation;
  const scopes = operation['x-scopes'] ?? [];
  const values = [...parameterRows(document, operation), ...bodyRows(document, operation)];
  const body = method === 'get' ? null : exampleBody(document, entry);
  return (
    <section
      class="operation"
      data-operation={operationId}
      data-method={method}
      data-path={path}
      data-body={body === null ? undefined : JSON.stringify(body, null, 2)}
    >
      <div>
        <h2 id={operationId}>
          <a href={`#${operationId}`}>
            <Phrase text={summary} />
          </a>
        </h2>
        <p class="endpoint">
          <Method name={method} /> <code>{path}</code>
          <CopyButton label="Copy path" value={path} />
        </p>
        <Prose text={description.replace(SCOPES_SENTENCE, '')} />
        {scopes.length > 0 && (
          <p class="flex flex-wrap items-center gap-1.5">
            {scopes.length > 1 ? 'Token scopes, one of' : 'Token scope'}
            {scopes.map((scope) => (
              <Badge key={scope}>{scope}</Badge>
            ))}
          </p>
        )}
        {values.length > 0 && <ValueTable caption="Parameters" values={values} />}
        <Responses operation={operation} />
      </div>
      <Examples document={document} entry={entry} />
    </section>
  );
}

function parameterRows(document: OpenApiDocument, operation: Operation): NamedValue[] {
  return parametersOf(document, operation).map((parameter) => ({
    ...parameter,
    note: parameter.required === true ? 'required' : undefined,
    location: parameter.in,
  }));
}

function bodyRows(document: OpenApiDocument, { requestBody }: Operation): NamedValue[] {
  const reference = requestBody?.content['application/json']?.schema.$ref;
  if (reference === undefined) return [];
  const schema = document.components.schemas[componentName({ $ref: reference })];
  return givenRows(schema ?? {}).map((row) => ({ ...row, location: 'body' }));
}

/** A request in each language and a response. */
function Examples({ document, entry }: OperationSectionProps): VNode {
  const programs = Object.entries(codeExamples(document, entry)) as [Language, string][];
  const { responses } = entry.operation;
  return (
    <div class="examples">
      {programs.map(([language, program]) => (
        <div key={language} data-language={language}>
          <Copyable noun="example">
            <pre tabIndex={0}>
              <code>{program}</code>
            </pre>
          </Copyable>
        </div>
      ))}
      {Object.entries(responses).flatMap(([status, response]) =>
        '$ref' in response ? [] : exampleBodies(status, response),
      )}
    </div>
  );
}

function exampleBodies(status: string, { content = {} }: ApiResponse): VNode[] {
  return Object.entries(content).flatMap(([mediaType, media]) =>
    examplesOf(media).map(({ name, value }) => (
      <details key={`${mediaType} ${name}`} open>
        <summary class="py-0.5">{`Response ${status}${name === '' ? '' : `: ${name}`}`}</summary>
        <ExampleText value={value} />
      </details>
    )),
  );
}

/** Radio button of a language; the style sheet shows the examples of the chosen one. */
export function languageId(language: Language): string {
  return `language-${language}`;
}

/** Address of a shared error on the overview. */
export function errorAnchor(name: string): string {
  return `error-${name}`;
}

/** `NotFound` → `Not found`. */
export function errorTitle(name: string): string {
  const words = name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').replace(/^Uri\b/, 'URI');
  return words.replace(/(?<= )[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase());
}

/** Responses of an operation: its own in full, shared errors as links to the overview. */
function Responses({ operation }: { operation: Operation }): VNode {
  const entries = Object.entries(operation.responses);
  const own = entries.filter((entry): entry is [string, ApiResponse] => !('$ref' in entry[1]));
  const shared = entries.filter((entry): entry is [string, Reference] => '$ref' in entry[1]);
  return (
    <>
      <h3>Responses</h3>
      {own.map(([status, response]) => (
        <OwnResponse key={status} status={status} response={response} />
      ))}
      {shared.length > 0 && (
        <p>
          Errors:{' '}
          {shared.map(([status, reference], at) => (
            <span key={status}>
              {at > 0 && ', '}
              <a href={`${REFERENCE_PATH}#${errorAnchor(componentName(reference))}`}>
                {`${status} ${errorTitle(componentName(reference))}`}
              </a>
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
    <div>
      <p>
        <Badge tone={status.startsWith('2') ? 'success' : 'neutral'}>{status}</Badge>{' '}
        <Phrase text={description} />{' '}
        {Object.entries(content).map(([mediaType, media]) => (
          <span key={mediaType}>
            <code>{mediaType}</code>: <SchemaType schema={media.schema} />{' '}
          </span>
        ))}
      </p>
      {Object.keys(headers).length > 0 && (
        <details>
          <summary class="py-0.5">Headers</summary>
          <p>
            {Object.keys(headers).map((name, at) => (
              <span key={name}>
                {at > 0 && ', '}
                <a href={`${REFERENCE_PATH}#header-${name}`}>{name}</a>
              </span>
            ))}
          </p>
        </details>
      )}
    </div>
  );
}

/** The examples of a body; a single one has no name. */
export function examplesOf({ example, examples }: MediaType): { name: string; value: unknown }[] {
  if (example !== undefined) return [{ name: '', value: example }];
  return Object.entries(examples ?? {}).map(([name, { value }]) => ({ name, value }));
}

/** A body as text. */
export function ExampleText({ value }: { value: unknown }): VNode {
  return (
    <pre tabIndex={0}>
      <code>{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</code>
    </pre>
  );
}
