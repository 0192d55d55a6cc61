import type { VNode } from 'preact';
import {
  schemaNames,
  type OpenApiDocument,
  type Resource,
  type Schema,
} from '../openapi-document.js';
import { LANGUAGES, type Language } from './code-examples.js';
import { languageId, Method, OperationSection } from './operation-section.js';
import {
  answeredRows,
  givenRows,
  type NamedValue,
  Phrase,
  Prose,
  schemaAnchor,
  SchemaType,
  ValueTable,
} from './value-table.js';

const CONTENTS_ID = 'on-page';

interface ResourceContentProps {
  document: OpenApiDocument;
  resource: Resource;
}

/** The operations of a resource, and the objects that they send and answer. */
export function ResourceContent({ document, resource }: ResourceContentProps): VNode {
  const used = resource.operations.map(({ operation: { requestBody, responses } }) => ({
    body: requestBody?.content['application/json'],
    own: Object.values(responses).filter((response) => !('$ref' in response)),
  }));
  return (
    <>
      <Languages />
      <div class="reference">
        <Contents resource={resource} />
        <div>
          {resource.operations.map((entry) => (
            <OperationSection key={entry.operation.operationId} document={document} entry={entry} />
          ))}
          <Objects document={document} names={schemaNames(document, used)} />
        </div>
      </div>
    </>
  );
}

/** Chooses the language of all examples; without a script, too. */
function Languages(): VNode {
  const languages = Object.entries(LANGUAGES) as [Language, string][];
  return (
    <fieldset class="languages">
      <legend class="sr-only">Language of examples</legend>
      {languages.map(([language, label], at) => (
        <span key={language}>
          <input type="radio" name="language" id={languageId(language)} checked={at === 0} />
          <label for={languageId(language)}>{label}</label>
        </span>
      ))}
    </fieldset>
  );
}

/** Beside the operations; on narrow screens a popover. */
function Contents({ resource: { operations } }: { resource: Resource }): VNode {
  return (
    <>
      <button
        class="btn on-page-toggle"
        data-variant="outline"
        type="button"
        popovertarget={CONTENTS_ID}
      >
        On this page
      </button>
      <nav class="on-page" id={CONTENTS_ID} popover="auto" aria-label="On this page">
        <ul>
          {operations.map(({ method, operation: { operationId, summary } }) => (
            <li key={operationId}>
              <a href={`#${operationId}`}>
                <Method name={method} />
                <span>
                  <Phrase text={summary} />
                </span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </>
  );
}

/** Objects of requests and responses. */
export function Objects({ document, names }: { document: OpenApiDocument; names: string[] }) {
  if (names.length === 0) return null;
  return (
    <section aria-labelledby="objects">
      <h2 id="objects">Objects</h2>
      {names.map((name) => (
        <ObjectSection key={name} name={name} schema={document.components.schemas[name] ?? {}} />
      ))}
    </section>
  );
}

function ObjectSection({ name, schema }: { name: string; schema: Schema }): VNode {
  return (
    <section class="operation" aria-labelledby={schemaAnchor(name)}>
      <div>
        <h3 id={schemaAnchor(name)}>
          <a href={`#${schemaAnchor(name)}`}>{name}</a>
        </h3>
        <Prose text={schema.description ?? ''} />
        {schema.properties === undefined ? (
          <p>
            <SchemaType schema={schema} />
          </p>
        ) : (
          <ValueTable caption={`Properties of ${name}`} values={rowsOf(name, schema)} />
        )}
      </div>
    </section>
  );
}

/** The generator names what is sent after the parameters that it is. */
function rowsOf(name: string, schema: Schema): NamedValue[] {
  return /Params(?:Form)?$/.test(name) ? givenRows(schema) : answeredRows(schema);
}
