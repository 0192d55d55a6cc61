import type { VNode } from 'preact';
import type { OpenApiDocument, Schema } from '../openapi-document.js';
import { Phrase, Prose } from './prose.js';
import { Body, refusalAnchor } from './responses.js';
import { schemaAnchor, SchemaType } from './schema-type.js';
import { answeredRows, givenRows, ValueTable, type NamedValue } from './value-table.js';

interface ChapterProps {
  document: OpenApiDocument;
}

/** Every object that operations take or answer. */
export function ObjectsChapter({ document }: ChapterProps): VNode {
  return (
    <section aria-labelledby="objects">
      <h2 id="objects">Objects</h2>
      {Object.entries(document.components.schemas).map(([name, schema]) => (
        <section key={name} class="object" aria-labelledby={schemaAnchor(name)}>
          <h3 id={schemaAnchor(name)}>{name}</h3>
          <Prose text={schema.description ?? ''} />
          {schema.properties === undefined ? (
            <p>
              <SchemaType schema={schema} />
            </p>
          ) : (
            <ValueTable caption={`Properties of ${name}`} values={rowsOf(name, schema)} />
          )}
        </section>
      ))}
    </section>
  );
}

/** The generator names what is sent after the parameters that it is. */
function rowsOf(name: string, schema: Schema): NamedValue[] {
  return /Params(?:Form)?$/.test(name) ? givenRows(schema) : answeredRows(schema);
}

/** Answers that many operations share. */
export function RefusalsChapter({ document }: ChapterProps): VNode {
  return (
    <section aria-labelledby="refusals">
      <h2 id="refusals">Refusals</h2>
      {Object.entries(document.components.responses).map(([name, response]) => (
        <section key={name} class="refusal" aria-labelledby={refusalAnchor(name)}>
          <h3 id={refusalAnchor(name)}>{name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ')}</h3>
          <Prose text={response.description} />
          {Object.entries(response.content ?? {}).map(([mediaType, media]) => (
            <Body key={mediaType} mediaType={mediaType} media={media} />
          ))}
        </section>
      ))}
    </section>
  );
}

/** Headers of answers. */
export function HeadersChapter({ document }: ChapterProps): VNode {
  return (
    <section aria-labelledby="headers">
      <h2 id="headers">Headers</h2>
      <dl class="headers-list">
        {Object.entries(document.components.headers).map(([name, { description, example }]) => (
          <div key={name} id={`header-${name}`}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>
              <Phrase text={description} /> Example: <code>{String(example)}</code>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
