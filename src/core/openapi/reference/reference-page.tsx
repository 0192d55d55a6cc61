import type { VNode } from 'preact';
import { Layout } from '../../ui/layout.js';
import type { OpenApiDocument } from '../openapi-document.js';
import { HeadersChapter, ObjectsChapter, RefusalsChapter } from './components-chapters.js';
import { chapterAnchor, chaptersOf, Contents, type Chapter } from './contents.js';
import { OperationSection } from './operation-section.js';
import { Phrase, Prose } from './prose.js';

interface ReferencePageProps {
  document: OpenApiDocument;
  icon: string;
  styleSheets: string[];
}

/** The API description as one page for people. */
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
      <RefusalsChapter document={document} />
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
