import type { VNode } from 'preact';
import {
  componentName,
  type ApiResponse,
  type MediaType,
  type Operation,
  type Reference,
} from '../openapi-document.js';
import { Phrase } from './prose.js';
import { SchemaType } from './schema-type.js';

/** Address of the chapter about a shared refusal on the page. */
export function refusalAnchor(name: string): string {
  return `refusal-${name}`;
}

/** Responses of an operation: its own in full, shared errors as links. */
export function Responses({ operation }: { operation: Operation }): VNode {
  const entries = Object.entries(operation.responses);
  const own = entries.filter((entry): entry is [string, ApiResponse] => !('$ref' in entry[1]));
  const shared = entries.filter((entry): entry is [string, Reference] => '$ref' in entry[1]);
  return (
    <>
      <h4>Answers</h4>
      {own.map(([status, response]) => (
        <OwnResponse key={status} status={status} response={response} />
      ))}
      {shared.length > 0 && (
        <p class="refusals">
          Also{' '}
          {shared.map(([status, reference], at) => (
            <span key={status}>
              {at > 0 && ', '}
              <a href={`#${refusalAnchor(componentName(reference))}`}>{status}</a>
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

/** The form of a body and what it looks like. */
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
