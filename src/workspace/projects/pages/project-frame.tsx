import type { ComponentChildren, VNode } from 'preact';
import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../../core/access/auth-context.js';
import { Badge, PageHeader, Card } from '../../../core/ui/components/content.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import { type PageInfo, PageSections, type PageContext } from '../../../core/ui/page-context.js';
import {
  projectSidebar,
  type ProjectAbilities,
} from '../../../core/ui/sections/container-sidebars.js';
import { pathSteps } from '../../groups/pages/group-frame.js';
import { canInProject } from '../../../identity/members/abilities.js';
import { VisibilityBadge } from '../../../identity/members/pages/visibility.js';
import { fullPathOf, type ProjectRow } from '../projects.repository.js';
import { Copyable } from '../../../core/ui/components/copy.js';

interface ProjectHeaderProps {
  project: ProjectRow;
  actions?: ComponentChildren;
}

/** The head of a project's overview. */
export function ProjectHeader({ project, actions }: ProjectHeaderProps): VNode {
  return (
    <PageHeader
      title={project.name}
      state={
        <>
          <VisibilityBadge level={project.visibility} />
          {project.archived && <Badge tone="warning">Archived</Badge>}
        </>
      }
      description={project.description ?? undefined}
      actions={actions}
    />
  );
}

/** Returns the title, breadcrumbs and sidebar of a project page; the overview without a title. */
export function projectInfo(project: ProjectRow, title?: string): PageInfo {
  const fullPath = fullPathOf(project);
  const { namespace, repositoryReadOnly } = project;
  const steps = pathSteps(namespace, namespace.kind === 'group' ? '/groups/' : '/');
  const named = { ...project, fullPath, namespaceName: namespace.fullName };
  return {
    title: title ?? project.name,
    projectId: project.id,
    crumbs: [...steps, { label: project.name, href: `/${fullPath}` }],
    sidebar: (viewer) => projectSidebar(named, abilitiesOf(project, viewer)),
    ...(repositoryReadOnly && { notice: MOVING }),
  };
}

const MOVING = 'Repository is read-only while it moves to another storage.';

function abilitiesOf(project: ProjectRow, viewer: Viewer | null): ProjectAbilities {
  const access = { ...project, viewer };
  return {
    readCode: project.repositoryEnabled && canInProject('read_code', access),
    readMergeRequests:
      project.mergeRequestsEnabled &&
      project.repositoryEnabled &&
      canInProject('read_merge_request', access),
    readMilestones:
      (project.issuesEnabled || project.mergeRequestsEnabled) &&
      canInProject('read_milestone', access),
    readLabels:
      (project.issuesEnabled || project.mergeRequestsEnabled) && canInProject('read_label', access),
    readSnippets: project.snippetsEnabled && canInProject('read_snippet', access),
    readIssues: project.issuesEnabled && canInProject('read_issue', access),
    readAlerts: canInProject('read_alert', access),
    readErrors: canInProject('read_error', access),
    readEnvironments: canInProject('read_environment', access),
    manageTokens: canInProject('manage_project_tokens', access),
    edit: canInProject('admin_project', access),
  };
}

/** Returns the same for a list of the project, or with a title for a page below the list. */
export function projectListInfo(
  project: ProjectRow,
  list: { label: string; href: string },
  title?: string,
): PageInfo {
  if (title === undefined) return projectInfo(project, list.label);
  const { crumbs = [], ...info } = projectInfo(project, title);
  return { ...info, crumbs: [...crumbs, list] };
}

type Named = Pick<ProjectRow, 'path' | 'namespace'>;

/** Returns the path of a project's alert settings and integrations. */
export function alertSettingsPath(project: Named): string {
  return `/${fullPathOf(project)}/-/settings/alerts`;
}

/** Returns the path of a project's error tracking settings and setup guides. */
export function errorSettingsPath(project: Named): string {
  return `/${fullPathOf(project)}/-/settings/error_tracking`;
}

interface ProjectSettingsTabsProps {
  project: ProjectRow;
  current: 'general' | 'alerts' | 'errors';
}

/** The pages of a project's settings. */
export function ProjectSettingsTabs({ project, current }: ProjectSettingsTabsProps): VNode {
  const addresses = {
    general: `/${fullPathOf(project)}/-/edit`,
    alerts: alertSettingsPath(project),
    errors: errorSettingsPath(project),
  };
  return (
    <Tabs
      label="Settings"
      items={[
        { label: 'General', href: addresses.general },
        { label: 'Alerts', href: addresses.alerts },
        { label: 'Error tracking', href: addresses.errors },
      ]}
      current={addresses[current]}
    />
  );
}

/** The overview of a project that someone looks at. */
export interface ShownProject {
  project: ProjectRow;
  pageContext: PageContext;
}

/** Parts of other features on the overview of a project. */
@Injectable()
export class ProjectOverviewSections extends PageSections<ShownProject> {}

interface EmptyRepositoryProps {
  project: ProjectRow;
  cloneUrl: string;
  mayPush: boolean;
}

/** Instructions for the first commit of a repository. */
export function EmptyRepository({ project, cloneUrl, mayPush }: EmptyRepositoryProps): VNode {
  const branch = project.defaultBranch ?? 'main';
  if (!mayPush) {
    return (
      <Card title="Empty repository">
        <p class="text-muted-foreground">No commits have been pushed yet.</p>
      </Card>
    );
  }
  return (
    <Card title="Empty repository">
      <h3 class="font-medium">Create a new repository</h3>
      <Commands
        lines={[
          `git clone ${cloneUrl} ${project.path}`,
          `cd ${project.path}`,
          `git switch --create ${branch}`,
          'touch README.md',
          'git add README.md',
          'git commit --message "Add a README"',
          `git push --set-upstream origin ${branch}`,
        ]}
      />
      <h3 class="font-medium">Push an existing repository</h3>
      <Commands
        lines={[
          `git remote add origin ${cloneUrl}`,
          'git push --set-upstream origin --all',
          'git push origin --tags',
        ]}
      />
    </Card>
  );
}

function Commands({ lines }: { lines: string[] }): VNode {
  return (
    <Copyable noun="commands">
      <pre class="bg-muted overflow-x-auto rounded-lg border p-3 text-sm" tabIndex={0}>
        <code>{lines.join('\n')}</code>
      </pre>
    </Copyable>
  );
}
