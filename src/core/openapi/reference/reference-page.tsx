import type { VNode } from 'preact';
import { Layout } from '../../ui/layout.js';
import type { OpenApiDocument, Schema } from '../openapi-document.js';
import {
  OperationSection,
  Method,
  type OperationEntry,
  Body,
  errorAnchor,
} from './operation-section.js';
import {
  Phrase,
  Prose,
  schemaAnchor,
  SchemaType,
  answeredRows,
  givenRows,
  ValueTable,
  type NamedValue,
} from './value-table.js';

interface ReferencePageProps {
  document: OpenApiDocument;
  icon: string;
  styleSheets: string[];
}

/** The API description as one page. */
export function ReferencePage({ document, ...files }: ReferencePageProps): VNode {
  const { info } = document;
  const chapters = chaptersOf(document);
  return (
    <Layout
      {...files}
      title={`${info.title} API`}
      header={<Bar document={document} />}
      aside={<Contents chapters={chapters} />}
    >
      <Start document={document} />
      {chapters.map((chapter) => (
        <ChapterSection key={chapter.name} chapter={chapter} document={document} />
      ))}
      <ObjectsChapter document={document} />
      <ErrorsChapter document={document} />
      <HeadersChapter document={document} />
    </Layout>
  );
}

function Bar({ document: { info } }: { document: OpenApiDocument }): VNode {
  return (
    <>
      <strong>{info.title} API</strong>
      <span class="version">{info.version}</span>
      <a href="/api/v4/openapi.json">OpenAPI 3.1</a>
    </>
  );
}

function Start({ document }: { document: OpenApiDocument }): VNode {
  const { info, servers, components } = document;
  return (
    <section aria-labelledby="start">
      <h1 id="start">{info.title} API</h1>
      <p>
        Address: <code>{servers[0]?.url}</code>
      </p>
      <Prose text={info.description} />
      <h2>Credentials</h2>
      <dl>
        {Object.entries(components.securitySchemes).map(([key, { name, description }]) => (
          <div key={key}>
            <dt>
              <code>{name ?? 'Authorization'}</code>
            </dt>
            <dd>
              <Phrase text={description} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface ChapterSectionProps {
  chapter: Chapter;
  document: OpenApiDocument;
}

function ChapterSection({ chapter, document }: ChapterSectionProps): VNode {
  const anchor = chapterAnchor(chapter.name);
  return (
    <section aria-labelledby={anchor}>
      <h2 id={anchor}>{chapter.name}</h2>
      <Prose text={chapter.description} />
      {chapter.operations.map((placed) => (
        <OperationSection key={placed.operation.operationId} document={document} {...placed} />
      ))}
    </section>
  );
}

/** A chapter of operations. */
interface Chapter {
  name: string;
  description: string;
  operations: OperationEntry[];
}

/** The operations by their tag, both in the order of the document. */
function chaptersOf({ tags, paths }: OpenApiDocument): Chapter[] {
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
  return tags.map((tag) => ({
    ...tag,
    operations: all.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
}

/** Address of a chapter on the page. */
function chapterAnchor(name: string): string {
  return `chapter-${name.toLowerCase().replaceAll(' ', '-')}`;
}

/** Table of contents: chapters, and on wide screens their operations. */
function Contents({ chapters }: { chapters: Chapter[] }): VNode {
  return (
    <nav class="contents" aria-label="Contents">
      <ul>
        <li>
          <a href="#start">Getting started</a>
        </li>
        {chapters.map(({ name, operations }) => (
          <li key={name}>
            <a href={`#${chapterAnchor(name)}`}>{name}</a>
            <OperationLinks operations={operations} />
          </li>
        ))}
        <li>
          <a href="#objects">Objects</a>
        </li>
        <li>
          <a href="#errors">Errors</a>
        </li>
        <li>
          <a href="#headers">Headers</a>
        </li>
      </ul>
    </nav>
  );
}

function OperationLinks({ operations }: { operations: OperationEntry[] }): VNode {
  return (
    <ul class="operations">
      {operations.map(({ method, operation }) => (
        <li key={operation.operationId}>
          <a href={`#${operation.operationId}`}>
            <Method name={method} />{' '}
            <span>
              <Phrase text={operation.summary} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

interface ChapterProps {
  document: OpenApiDocument;
}

/** Objects of requests and responses. */
function ObjectsChapter({ document }: ChapterProps): VNode {
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

/** Errors that many operations share. */
function ErrorsChapter({ document }: ChapterProps): VNode {
  return (
    <section aria-labelledby="errors">
      <h2 id="errors">Errors</h2>
      {Object.entries(document.components.responses).map(([name, response]) => (
        <section key={name} class="refusal" aria-labelledby={errorAnchor(name)}>
          <h3 id={errorAnchor(name)}>{name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ')}</h3>
          <Prose text={response.description} />
          {Object.entries(response.content ?? {}).map(([mediaType, media]) => (
            <Body key={mediaType} mediaType={mediaType} media={media} />
          ))}
        </section>
      ))}
    </section>
  );
}

/** Headers of responses. */
function HeadersChapter({ document }: ChapterProps): VNode {
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
