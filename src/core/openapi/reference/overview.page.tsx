import type { VNode } from 'preact';
import { Card, EmptyState, PageHeader } from '../../ui/components/content.js';
import { ButtonLink } from '../../ui/components/button.js';
import { Item, ItemList } from '../../ui/components/list.js';
import { schemaNames, type OpenApiDocument, type ResourceSummary } from '../openapi-document.js';
import {
  errorAnchor,
  errorTitle,
  examplesOf,
  ExampleText,
  Method,
  REFERENCE_PATH,
} from './operation-section.js';
import { Objects } from './resource.page.js';
import { Phrase, Prose } from './value-table.js';

const RESULTS_ID = 'operations';

interface OverviewProps {
  resources: readonly ResourceSummary[];
  search: string;
  /** HTML of the section shared by all resources. */
  basics: string;
}

/** The first page of the reference: search, resources, what holds for all of them. */
export function OverviewPage({ resources, search, basics }: OverviewProps): VNode {
  const count = resources.reduce((sum, { operations }) => sum + operations.length, 0);
  return (
    <>
      <PageHeader
        title="API reference"
        description={`REST API version 4: ${count} operations of ${resources.length} resources`}
        actions={
          <ButtonLink href="/api/v4/openapi.json" variant="outline">
            OpenAPI 3.1
          </ButtonLink>
        }
      />
      <form class="field-row" action={REFERENCE_PATH} role="search" aria-label="Operations">
        <div class="field">
          <input
            class="control"
            type="search"
            name="search"
            value={search}
            aria-label="Search operations"
            placeholder="Search operations"
            autocomplete="off"
            hx-get={REFERENCE_PATH}
            hx-trigger="input changed delay:120ms"
            hx-target={`#${RESULTS_ID}`}
            hx-swap="innerHTML"
          />
        </div>
        <button class="btn" data-variant="outline" type="submit">
          Search
        </button>
      </form>
      <div id={RESULTS_ID} class="grid gap-3">
        <SearchResults resources={resources} search={search} />
      </div>
      <div dangerouslySetInnerHTML={{ __html: basics }} />
    </>
  );
}

/** The operations that match, or without a search all resources. */
export function SearchResults({ resources, search }: Omit<OverviewProps, 'basics'>): VNode {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return <ResourceList resources={resources} />;
  const found = resources.flatMap(({ slug, name, operations }) =>
    operations
      .filter(({ text }) => words.every((word) => text.includes(word)))
      .map((operation) => ({ ...operation, slug, name })),
  );
  if (found.length === 0) return <EmptyState title="No operations match your search" />;
  return (
    <Card flush>
      <ItemList label="Operations">
        {found.map(({ id, method, path, summary, slug, name }) => (
          <Item
            key={id}
            title={
              <>
                <Method name={method} />
                <a href={`${REFERENCE_PATH}/${slug}#${id}`}>
                  <Phrase text={summary} />
                </a>
              </>
            }
          >
            <code>{path}</code> {name}
          </Item>
        ))}
      </ItemList>
    </Card>
  );
}

function ResourceList({ resources }: { resources: readonly ResourceSummary[] }): VNode {
  return (
    <Card flush>
      <ItemList label="Resources">
        {resources.map(({ slug, name, description, operations }) => (
          <Item key={slug} title={<a href={`${REFERENCE_PATH}/${slug}`}>{name}</a>}>
            {`${description} ${operations.length === 1 ? '1 operation' : `${operations.length} operations`}`}
          </Item>
        ))}
      </ItemList>
    </Card>
  );
}

/** Conventions of all resources: requests, authentication, errors, headers. */
export function Basics({ document }: { document: OpenApiDocument }): VNode {
  const { info, servers, components } = document;
  const errors = Object.entries(components.responses);
  return (
    <div class="reference-basics">
      <h2 id="requests">Requests</h2>
      <p>
        Base URL: <code>{servers[0]?.url}</code>
      </p>
      <Prose text={info.description} />
      <h2 id="authentication">Authentication</h2>
      <dl class="facts">
        {Object.entries(components.securitySchemes).map(([key, { name, description }]) => (
          <div key={key} class="contents">
            <dt>
              <code>{name ?? 'Authorization'}</code>
            </dt>
            <dd>
              <Phrase text={description} />
            </dd>
          </div>
        ))}
      </dl>
      <h2 id="errors">Errors</h2>
      {errors.map(([name, response]) => (
        <section key={name} aria-labelledby={errorAnchor(name)}>
          <h3 id={errorAnchor(name)}>{errorTitle(name)}</h3>
          <Prose text={response.description} />
          {Object.entries(response.content ?? {}).map(([mediaType, media]) => (
            <details key={mediaType}>
              <summary class="py-0.5">Examples</summary>
              {examplesOf(media).map((example) => (
                <ExampleText key={example.name} value={example.value} />
              ))}
            </details>
          ))}
        </section>
      ))}
      <h2 id="headers">Headers</h2>
      <dl class="facts">
        {Object.entries(components.headers).map(([name, { description, example }]) => (
          <div key={name} class="contents">
            <dt id={`header-${name}`}>
              <code>{name}</code>
            </dt>
            <dd>
              <Phrase text={description} /> Example: <code>{String(example)}</code>
            </dd>
          </div>
        ))}
      </dl>
      <Objects document={document} names={schemaNames(document, components.responses)} />
    </div>
  );
}
