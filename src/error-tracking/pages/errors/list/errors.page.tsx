import type { VNode } from 'preact';
import { ButtonLink } from '../../../../core/ui/components/button.js';
import { EmptyState } from '../../../../core/ui/components/content.js';
import { httpLink } from '../../../../core/ui/http-link.js';
import type { PageContext } from '../../../../core/ui/page-context.js';
import { canInProject } from '../../../../identity/members/abilities.js';
import { ProjectFrame } from '../../../../workspace/projects/pages/project-frame.js';
import type { ProjectRow } from '../../../../workspace/projects/projects.repository.js';
import { errorSettingsPath, errorsPath } from '../../../error-paths.js';
import { mayChangeErrors } from '../may-change-errors.js';
import type { TrackingState } from '../tracking-states.service.js';
import { ErrorList, type ErrorListing } from './error-list.js';
import { ErrorListFilters, type KnownValues } from './error-list-filters.js';
import { isNarrowed } from './errors-query.js';

interface ErrorsPageProps {
  pageContext: PageContext;
  project: ProjectRow;
  listing: ErrorListing;
  known: KnownValues;
  tracking: TrackingState;
}

/** The errors of a project: list and filters, or what is to be done before there can be any. */
export function ErrorsPage(props: ErrorsPageProps): VNode {
  const { pageContext, project, tracking } = props;
  const maySet = canInProject('admin_error_tracking', { ...project, viewer: pageContext.viewer });
  return (
    <ProjectFrame
      project={project}
      viewer={pageContext.viewer}
      current="errors"
      actions={
        maySet ? (
          <ButtonLink href={errorSettingsPath(project)} variant="outline">
            Error tracking settings
          </ButtonLink>
        ) : undefined
      }
    >
      {tracking.kind === 'external' ? (
        <ExternalTracker url={tracking.url} />
      ) : (
        <Collected {...props} maySet={maySet} />
      )}
    </ProjectFrame>
  );
}

function Collected(props: ErrorsPageProps & { maySet: boolean }): VNode {
  const { pageContext, project, listing, known, tracking, maySet } = props;
  const { counts, query } = listing;
  const isEmpty = Object.values(counts).every((count) => count === 0) && !isNarrowed(query);
  if (isEmpty) return <FirstSteps project={project} tracking={tracking} maySet={maySet} />;
  return (
    <>
      {tracking.kind === 'off' && (
        <div class="alert" role="status" data-tone="secret">
          Error tracking is switched off: nothing new arrives here.
        </div>
      )}
      <ErrorListFilters path={errorsPath(project)} query={query} known={known} />
      <ErrorList
        {...listing}
        project={project}
        csrfToken={pageContext.csrfToken}
        mayChange={mayChangeErrors(project, pageContext.viewer)}
      />
    </>
  );
}

interface FirstStepsProps {
  project: ProjectRow;
  tracking: TrackingState;
  maySet: boolean;
}

function FirstSteps({ project, tracking, maySet }: FirstStepsProps): VNode {
  const isOff = tracking.kind === 'off';
  const label = isOff ? 'Set up error tracking' : 'Show how programs report errors';
  return (
    <EmptyState
      title={isOff ? 'Errors of this project are not tracked' : 'No program has reported an error'}
      action={
        maySet ? <ButtonLink href={errorSettingsPath(project)}>{label}</ButtonLink> : undefined
      }
    >
      {whatNext(isOff, maySet)}
    </EmptyState>
  );
}

function whatNext(isOff: boolean, maySet: boolean): string {
  if (!maySet) return 'Maintainers of the project set error tracking up in its settings.';
  return isOff
    ? 'Programs report their errors with an SDK; here they are grouped and counted.'
    : 'The settings show what to add to a program, and can send a test event.';
}

/** Errors are collected elsewhere: nothing of them is here. */
function ExternalTracker({ url }: { url: string | null }): VNode {
  const href = httpLink(url);
  return (
    <EmptyState
      title="Errors of this project are tracked elsewhere"
      action={
        href === null ? undefined : (
          <a class="btn" data-variant="primary" href={href} rel="nofollow noopener noreferrer">
            Open the error tracker
          </a>
        )
      }
    >
      {href === null ? 'Its settings name no address to open.' : href}
    </EmptyState>
  );
}
