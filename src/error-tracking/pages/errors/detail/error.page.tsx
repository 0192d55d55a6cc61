import type { VNode } from 'preact';
import { FormErrors } from '../../../../core/ui/components/form-errors.js';
import type { FormProblems } from '../../../../core/ui/form-errors.js';
import type { PageShell } from '../../../../core/ui/shell.js';
import { canInProject } from '../../../../members/abilities.js';
import { ProjectFrame } from '../../../../projects/pages/project-frame.js';
import type { ProjectRow } from '../../../../projects/projects.repository.js';
import type { ErrorRow } from '../../../errors/error-row.js';
import type { TagDistribution } from '../../../error-statistics.repository.js';
import type { PlacedEvent } from '../../../events/event-reading.service.js';
import { errorPath } from '../../../error-paths.js';
import { EventCards } from '../event/event-cards.js';
import { EventGone, EventHead } from '../event/event.page.js';
import { mayChangeErrors } from '../may-change-errors.js';
import { ErrorFacts } from './error-facts.js';
import { ErrorHeading } from './error-heading.js';
import { ErrorIssueCard } from './error-issue-card.js';
import { TagsCard } from './tag-distribution.js';
import { TrendChart, type TrendPoint, type TrendSpan } from './trend-chart.js';

/** Input of a rejected form of the page. */
export interface RefusedLink {
  errors: FormProblems;
  issueIid: string;
}

/** Error and viewer of the page. */
export interface ErrorPageProps {
  shell: PageShell;
  project: ProjectRow;
  error: ErrorRow;
  span: TrendSpan;
  points: TrendPoint[];
  tags: TagDistribution[];
  /** Null if no event is stored. */
  newest: PlacedEvent | null;
  refused?: RefusedLink;
}

/** An error: how often and where it happens, its newest event, and what can be done. */
export function ErrorPage(props: ErrorPageProps): VNode {
  const { shell, project, error, span, points, newest, refused } = props;
  const mayChange = mayChangeErrors(project, shell.viewer);
  return (
    <ProjectFrame project={project} viewer={shell.viewer} current="errors">
      <div class="grid grid-cols-1 gap-6">
        <ErrorHeading {...{ project, error, mayChange }} csrfToken={shell.csrfToken} />
        <FormErrors errors={refused?.errors} />
        <ErrorFacts error={error} />
        <div class="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <div class="grid grid-cols-1 gap-6">
            <TrendChart span={span} points={points} path={errorPath(project, error.id)} />
            {newest === null ? (
              <EventGone />
            ) : (
              <>
                <EventHead title="Newest event" {...{ project, error }} event={newest} />
                <EventCards details={newest.details} />
              </>
            )}
          </div>
          <Side {...props} mayChange={mayChange} />
        </div>
      </div>
    </ProjectFrame>
  );
}

function Side(props: ErrorPageProps & { mayChange: boolean }): VNode {
  const { shell, project, error, tags, refused, mayChange } = props;
  const mayCreate = canInProject('create_issue', { ...project, viewer: shell.viewer });
  return (
    <div class="grid grid-cols-1 gap-6">
      {project.issuesEnabled && (
        <ErrorIssueCard
          {...{ project, error, mayChange, mayCreate }}
          csrfToken={shell.csrfToken}
          issueIid={refused?.issueIid ?? ''}
          errors={refused?.errors ?? null}
        />
      )}
      <TagsCard project={project} tags={tags} />
    </div>
  );
}
