import type { VNode } from 'preact';
import type { OpenApiDocument } from '../openapi-document.js';
import { Phrase } from './prose.js';
import { Method, type PlacedOperation } from './operation-section.js';

/** A chapter of operations. */
export interface Chapter {
  name: string;
  description: string;
  operations: PlacedOperation[];
}

/** The operations by their tag, both in the order of the document. */
export function chaptersOf({ tags, paths }: OpenApiDocument): Chapter[] {
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
  return tags.map((tag) => ({
    ...tag,
    operations: all.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
}

/** Address of a chapter on the page. */
export function chapterAnchor(name: string): string {
  return `chapter-${name.toLowerCase().replaceAll(' ', '-')}`;
}

/** The way around the page: chapters, and on wide screens their operations. */
export function Contents({ chapters }: { chapters: Chapter[] }): VNode {
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
          <a href="#refusals">Refusals</a>
        </li>
        <li>
          <a href="#headers">Headers</a>
        </li>
      </ul>
    </nav>
  );
}

function OperationLinks({ operations }: { operations: PlacedOperation[] }): VNode {
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
