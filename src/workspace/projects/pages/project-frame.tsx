import type { ComponentChildren, VNode } from 'preact';
import type { Viewer } from '../../../core/access/viewer.js';
import { Avatar } from '../../../core/ui/components/avatar.js';
import { Badge, PageHeader } from '../../../core/ui/components/content.js';
import { ProjectTabs, type ProjectTab } from '../../../core/ui/sections/project.js';
import type { PageInfo } from '../../../core/ui/page-context.js';
import { pathSteps } from '../../groups/pages/group-frame.js';
import { canInProject } from '../../../identity/members/abilities.js';
import { VisibilityBadge } from '../../../identity/members/pages/visibility.js';
import { fullPathOf, type ProjectRow } from '../projects.repository.js';

interface ProjectFrameProps {
  project: ProjectRow;
  viewer: Viewer | null;
  current: ProjectTab;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** Heading and tabs of a project around one of its pages. */
export function ProjectFrame(props: ProjectFrameProps): VNode {
  const { project, viewer, current, actions, children } = props;
  const access = { ...project, viewer };
  const may = {
    readCode: project.repositoryEnabled && canInProject('read_code', access),
    readMergeRequests:
      project.mergeRequestsEnabled &&
      project.repositoryEnabled &&
      canInProject('read_merge_request', access),
    readMilestones:
      (project.issuesEnabled || project.mergeRequestsEnabled) &&
      canInProject('read_milestone', access),
    readSnippets: project.snippetsEnabled && canInProject('read_snippet', access),
    readIssues: project.issuesEnabled && canInProject('read_issue', access),
    readAlerts: canInProject('read_alert', access),
    readErrors: canInProject('read_error', access),
    manageTokens: canInProject('manage_project_tokens', access),
    edit: canInProject('admin_project', access),
  };
  return (
    <>
      <PageHeader
        title={
          <span class="flex items-center gap-3">
            {project.avatar !== null && (
              <Avatar name={project.name} owner={project} kind="project" />
            )}
            {project.name}
          </span>
        }
        description={<ProjectSummary project={project} />}
        actions={actions}
      />
      <ProjectTabs
        project={{ fullPath: fullPathOf(project), defaultBranch: project.defaultBranch }}
        current={current}
        may={may}
      />
      {project.repositoryReadOnly && <MovingNotice />}
      {children}
    </>
  );
}

function ProjectSummary({ project }: { project: ProjectRow }): VNode {
  return (
    <>
      <span class="mr-2 inline-flex gap-2">
        <VisibilityBadge level={project.visibility} />
        {project.archived && <Badge tone="warning">Archived</Badge>}
      </span>
      {project.description}
    </>
  );
}

function MovingNotice(): VNode {
  return (
    <div class="alert" role="status" data-tone="notice">
      The repository is being moved to another storage. It can be read, but not changed, until the
      move is done.
    </div>
  );
}

/**
 * Returns the title, breadcrumbs and navigation of a project page; the overview without a title.
 */
export function projectInfo(project: ProjectRow, title?: string): PageInfo {
  const prefix = project.namespace.kind === 'group' ? '/groups/' : '/';
  const crumbs = [
    { label: 'Projects', href: '/dashboard/projects' },
    ...pathSteps(project.namespace, prefix),
  ];
  if (title === undefined) return { title: project.name, nav: 'projects', crumbs };
  const own = { label: project.name, href: `/${fullPathOf(project)}` };
  return { title, nav: 'projects', crumbs: [...crumbs, own] };
}
