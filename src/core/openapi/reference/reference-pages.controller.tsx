import { Controller, Get, Headers, Injectable, Param, Query } from '@nestjs/common';
import { renderToString } from 'preact-render-to-string';
import { Page } from '../../access/access.decorator.js';
import { NotFoundError } from '../../errors.js';
import type { HttpResponse } from '../../http/http-response.js';
import { atRoot } from '../../http/paths.js';
import { PageHeader } from '../../ui/components/content.js';
import type { IconName } from '../../ui/components/icon.js';
import type { PageContext } from '../../ui/page-context.js';
import { Context } from '../../ui/page-contexts.service.js';
import type { Sidebar } from '../../ui/sections/sidebar.js';
import { resourcesOf, type ResourceSummary } from '../openapi-document.js';
import { ApiDescription } from '../openapi.controller.js';
import { REFERENCE_PATH } from './operation-section.js';
import { Basics, OverviewPage, SearchResults } from './overview.page.js';
import { ResourceContent } from './resource.page.js';

/**
 * The API reference as HTML, which is the same for everyone: rendered once per page, at the first
 * request. The description itself takes more memory than the pages that people read.
 */
@Injectable()
export class ApiReference {
  private summaries: ResourceSummary[] | null = null;
  private readonly pages = new Map<string, string>();

  constructor(private readonly description: ApiDescription) {}

  get resources(): readonly ResourceSummary[] {
    this.summaries ??= resourcesOf(this.description.read()).map(
      ({ name, slug, description, operations }) => ({
        name,
        slug,
        description,
        operations: operations.map(({ method, path, operation }) => {
          const { operationId: id, summary } = operation;
          const text = `${method} ${path} ${summary} ${name}`.toLowerCase();
          return { id, method, path, summary, text };
        }),
      }),
    );
    return this.summaries;
  }

  /** Section shared by all resources. */
  get basics(): string {
    return this.remembered('', () => renderToString(Basics({ document: this.description.read() })));
  }

  /** The content of a resource's page. */
  contentOf({ slug }: ResourceSummary): string {
    return this.remembered(slug, () => {
      const document = this.description.read();
      const resource = resourcesOf(document).find((one) => one.slug === slug);
      if (resource === undefined) throw new Error(`no resource ${slug}`);
      return renderToString(ResourceContent({ document, resource }));
    });
  }

  private remembered(key: string, render: () => string): string {
    const known = this.pages.get(key);
    if (known !== undefined) return known;
    const html = render();
    this.pages.set(key, html);
    return html;
  }
}

const MAX_SEARCH = 200;

/** The API reference: an overview with a search, and a page for each resource. */
@Controller(atRoot('-/docs/api'))
@Page('anyone')
export class ReferencePagesController {
  constructor(private readonly reference: ApiReference) {}

  @Get()
  overview(
    @Query('search') given: unknown,
    @Headers('hx-request') isPart: string | undefined,
    @Context() pageContext: PageContext,
  ): HttpResponse {
    const { resources, basics } = this.reference;
    const search = typeof given === 'string' ? given.slice(0, MAX_SEARCH) : '';
    if (isPart !== undefined) return pageContext.fragment(SearchResults({ resources, search }));
    return pageContext.render(OverviewPage({ resources, search, basics }), {
      title: 'API reference',
      sidebar: () => sidebarOf(resources),
    });
  }

  @Get(':resource')
  show(@Param('resource') slug: string, @Context() pageContext: PageContext): HttpResponse {
    const { resources } = this.reference;
    const resource = resources.find((one) => one.slug === slug);
    if (resource === undefined) throw new NotFoundError();
    const page = (
      <>
        <PageHeader title={resource.name} description={resource.description} />
        <div dangerouslySetInnerHTML={{ __html: this.reference.contentOf(resource) }} />
      </>
    );
    return pageContext.render(page, {
      title: resource.name,
      sidebar: () => sidebarOf(resources),
      script: 'api-reference.js',
    });
  }
}

/** Icons of the resources by slug; the same as in the sidebars of pages. */
const RESOURCE_ICONS: Readonly<Record<string, IconName>> = {
  'api-description': 'file-code',
  'access-tokens': 'key-round',
  account: 'user',
  'alert-integrations': 'siren',
  alerts: 'bell-ring',
  applications: 'blocks',
  'audit-events': 'scroll-text',
  'background-jobs': 'list-checks',
  'commit-statuses': 'circle-check',
  environments: 'server',
  'error-tracking': 'bug',
  events: 'activity',
  groups: 'boxes',
  health: 'heart-pulse',
  issues: 'circle-dot',
  labels: 'tag',
  members: 'user-plus',
  'merge-requests': 'git-pull-request',
  metrics: 'chart-line',
  milestones: 'milestone',
  namespaces: 'at-sign',
  notes: 'message-square',
  'notification-settings': 'bell',
  'oauth-and-openid-connect': 'shield',
  pages: 'globe',
  'project-and-group-access-tokens': 'lock',
  projects: 'folder-git-2',
  repositories: 'git-branch',
  search: 'search',
  settings: 'settings',
  snippets: 'scissors',
  'storage-moves': 'arrow-right-left',
  'to-dos': 'inbox',
  'user-states': 'user-check',
  users: 'users',
  version: 'info',
};

function sidebarOf(resources: readonly ResourceSummary[]): Sidebar {
  return {
    label: 'API reference',
    sections: [
      { items: [{ label: 'Overview', href: REFERENCE_PATH, icon: 'book-open', alone: true }] },
      {
        title: 'Resources',
        items: resources.map(({ name, slug }) => ({
          label: name,
          href: `${REFERENCE_PATH}/${slug}`,
          icon: RESOURCE_ICONS[slug] ?? 'code',
        })),
      },
    ],
  };
}
