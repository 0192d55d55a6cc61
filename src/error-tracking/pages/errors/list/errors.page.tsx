import type { VNode } from 'preact';
import { httpLink } from '../../../../core/ui/addresses.js';
import { ButtonLink } from '../../../../core/ui/components/button.js';
import { EmptyState, PageHeader } from '../../../../core/ui/components/content.js';
import { PostButton } from '../../../../core/ui/components/form.js';
import type { PageContext } from '../../../../core/ui/page-context.js';
import { canInProject } from '../../../../identity/members/abilities.js';
import { errorSettingsPath } from '../../../../workspace/projects/pages/project-frame.js';
import type { ProjectRow } from '../../../../workspace/projects/projects.repository.js';
import { errorsPath } from '../../../error-paths.js';
import { mayChangeErrors, type TrackingState } from './error-listings.service.js';
import { ErrorBulkBar, ErrorList, StatusTabs, type ErrorListing } from './error-list.js';
import { isNarrowed, LIST_ORDERS, type ErrorsQuery } from './errors-query.js';
import type { Choice } from '../../../../core/ui/components/choice-fields.js';
import { ERROR_SORTS } from '../../../sql/error-list.js';
import { FilterBar } from '../../../../core/ui/components/filter-bar.js';

interface ErrorsPageProps {
  pageContext: PageContext;
  project: ProjectRow;
  listing: ErrorListing;
  known: KnownValues;
  tracking: TrackingState;
}

/** The errors of a project: list and filters, or the first steps. */
export function ErrorsPage(props: ErrorsPageProps): VNode {
  const { pageContext, project, tracking } = props;
  const maySet = canInProject('admin_error_tracking', { ...project, viewer: pageContext.viewer });
  return (
    <>
      <PageHeader
        title="Errors"
        actions={
          maySet ? (
            <ButtonLink href={errorSettingsPath(project)} variant="outline">
              Error tracking settings
            </ButtonLink>
          ) : undefined
        }
      />
      {tracking.kind === 'external' ? (
        <ExternalTracker url={tracking.url} />
      ) : (
        <Collected {...props} maySet={maySet} />
      )}
    </>
  );
}

function Collected(props: ErrorsPageProps & { maySet: boolean }): VNode {
  const { pageContext, project, listing, known, tracking, maySet } = props;
  const { counts, query } = listing;
  const path = errorsPath(project);
  const mayChange = mayChangeErrors(project, pageContext.viewer);
  const isEmpty = Object.values(counts).every((count) => count === 0) && !isNarrowed(query);
  if (isEmpty)
    return <FirstSteps {...{ project, tracking, maySet }} csrfToken={pageContext.csrfToken} />;
  return (
    <>
      {tracking.kind === 'off' && (
        <div class="alert" role="status" data-tone="secret">
          Error tracking is disabled. No new errors arrive.
        </div>
      )}
      <StatusTabs path={path} listing={listing} />
      <ErrorListFilters projectId={project.id} path={path} query={query} known={known} />
      <ErrorList {...listing} project={project} mayChange={mayChange} />
      {mayChange && (
        <ErrorBulkBar
          path={path}
          query={query}
          paging={listing.paging}
          csrfToken={pageContext.csrfToken}
        />
      )}
    </>
  );
}

interface FirstStepsProps {
  project: ProjectRow;
  tracking: TrackingState;
  maySet: boolean;
  csrfToken: string;
}

function FirstSteps({ project, tracking, maySet, csrfToken }: FirstStepsProps): VNode {
  const isOff = tracking.kind === 'off';
  const path = errorSettingsPath(project);
  const action =
    isOff && tracking.canEnable ? (
      <PostButton
        action={path}
        csrfToken={csrfToken}
        fields={{ enabled: 'true', integrated: 'true' }}
        variant="primary"
      >
        Enable error tracking
      </PostButton>
    ) : (
      <ButtonLink href={path}>{isOff ? 'Error tracking settings' : 'Show setup guides'}</ButtonLink>
    );
  return (
    <EmptyState
      title={isOff ? 'Error tracking is disabled' : 'No errors yet'}
      action={maySet ? action : undefined}
    >
      {whatNext(isOff, maySet)}
    </EmptyState>
  );
}

function whatNext(isOff: boolean, maySet: boolean): string {
  if (!maySet) return 'Project maintainers can set up error tracking.';
  return isOff
    ? 'Applications report errors with any Sentry SDK.'
    : 'New errors appear here automatically.';
}

/** Errors are collected elsewhere: nothing of them is here. */
function ExternalTracker({ url }: { url: string | null }): VNode {
  const href = httpLink(url);
  return (
    <EmptyState
      title="Errors are tracked in an external tracker"
      action={
        href === null ? undefined : (
          <a class="btn" data-variant="primary" href={href} rel="nofollow noopener noreferrer">
            Open the error tracker
          </a>
        )
      }
    >
      {href === null ? 'The tracker has no URL.' : href}
    </EmptyState>
  );
}

/** Values that the filters offer. */
export interface KnownValues {
  environments: string[];
  releases: string[];
}

interface ErrorListFiltersProps {
  projectId: number;
  path: string;
  query: ErrorsQuery;
  known: KnownValues;
}

const ORDERS = ERROR_SORTS.map((value) => ({ value, label: LIST_ORDERS[value] }));

/** Filters of the list; reloads the page. */
function ErrorListFilters({ projectId, path, query, known }: ErrorListFiltersProps): VNode {
  const { status, search, environment, release, tag, sort } = query;
  const environments = choicesOf(known.environments, environment);
  const releases = choicesOf(known.releases, release);
  return (
    <FilterBar
      projectId={projectId}
      path={path}
      search={search}
      fields={[
        { name: 'environment', label: 'Environment', value: environment, options: environments },
        { name: 'release', label: 'Release', value: release, options: releases },
        {
          name: 'tag',
          label: 'Tag',
          value: tag,
          placeholder: 'browser.name:Firefox',
          pattern: '[^:]+:.*',
        },
      ]}
      sort={{ name: 'sort', options: ORDERS, value: sort }}
      kept={{ status }}
    />
  );
}

/** Returns the known values, including the selected one. */
function choicesOf(known: readonly string[], chosen: string): Choice[] {
  const values = chosen === '' || known.includes(chosen) ? known : [chosen, ...known];
  return values.map((value) => ({ value, label: value }));
}
