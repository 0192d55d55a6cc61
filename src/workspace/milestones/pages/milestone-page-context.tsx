import type { ComponentChildren, VNode } from 'preact';
import type { Viewer } from '../../../core/access/viewer.js';
import { NotFoundError } from '../../../core/errors.js';
import type { PageInfo, PageContext } from '../../../core/ui/page-context.js';
import { canInProject } from '../../../identity/members/abilities.js';
import { ProjectFrame, projectInfo } from '../../projects/pages/project-frame.js';
import { fullPathOf, type ProjectRow } from '../../projects/projects.repository.js';
import { hasMilestones } from '../milestone-access.js';

/** A project whose milestones are shown, and what its visitor can do there. */
export interface MilestonePageContext {
  project: ProjectRow;
  viewer: Viewer | null;
  /** Address of the list; the others begin with it. */
  path: string;
  /** Address of the list of issues. */
  issues: string;
  mayChange: boolean;
}

/** The place of a project's milestones; 404 when nothing there can work towards one. */
export function milestonePageContext(
  project: ProjectRow,
  { viewer }: PageContext,
): MilestonePageContext {
  if (!hasMilestones(project)) throw new NotFoundError();
  const base = `/${fullPathOf(project)}/-`;
  return {
    project,
    viewer,
    path: `${base}/milestones`,
    issues: `${base}/issues`,
    mayChange: !project.archived && canInProject('admin_milestone', { ...project, viewer }),
  };
}

/** Returns the title, breadcrumbs and navigation of a page; the list without a title. */
export function placeInfo({ project, path }: MilestonePageContext, title?: string): PageInfo {
  const list = { label: 'Milestones', href: path };
  if (title === undefined) return projectInfo(project, list.label);
  const { crumbs = [], ...info } = projectInfo(project, title);
  return { ...info, crumbs: [...crumbs, list] };
}

interface PlaceFrameProps {
  place: MilestonePageContext;
  title: ComponentChildren;
  description?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** Heading and tabs of the project, the heading of the page, and its content. */
export function ProjectLayout({ place, title, description, ...rest }: PlaceFrameProps): VNode {
  return (
    <ProjectFrame project={place.project} viewer={place.viewer} current="milestones">
      <div class="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div class="min-w-0 grow basis-80">
          <h2 class="wrap-anywhere">{title}</h2>
          {description !== undefined && (
            <div class="text-muted-foreground mt-2 text-sm">{description}</div>
          )}
        </div>
        {rest.actions !== undefined && <div class="flex flex-wrap gap-2">{rest.actions}</div>}
      </div>
      {rest.children}
    </ProjectFrame>
  );
}
