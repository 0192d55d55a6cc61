import type { VNode } from 'preact';
import { CopyField } from '../../../core/ui/components/copy-field.js';
import { Badge, Card, DescriptionList } from '../../../core/ui/components/content.js';
import { Time } from '../../../core/ui/components/time.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { canInProject } from '../../../identity/members/abilities.js';
import { roleName } from '../../../identity/members/roles.js';
import { fullPathOf, type ProjectRow } from '../projects.repository.js';
import { EmptyRepository } from './empty-repository.js';
import { ProjectFrame } from './project-frame.js';

interface ProjectOverviewProps {
  pageContext: PageContext;
  project: ProjectRow;
  /** Parts of other features. */
  sections: VNode[];
}

const COLUMNS = 'grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]';

/** Overview of a project: description, statistics, and clone instructions. */
export function ProjectOverviewPage({
  pageContext,
  project,
  sections,
}: ProjectOverviewProps): VNode {
  const { viewer, baseUrl } = pageContext;
  const access = { ...project, viewer };
  const cloneUrl = `${baseUrl}/${fullPathOf(project)}.git`;
  const mayReadCode = project.repositoryEnabled && canInProject('read_code', access);
  const mayPush = canInProject('push_code', access) && !project.archived;
  const isEmpty = mayReadCode && project.emptyRepo;
  const hasContent = isEmpty || sections.length > 0;
  return (
    <ProjectFrame project={project} viewer={viewer} current="overview">
      <div class={hasContent ? COLUMNS : 'grid grid-cols-1 gap-6'}>
        {hasContent && (
          <div class="grid grid-cols-1 gap-6">
            {isEmpty && <EmptyRepository project={project} cloneUrl={cloneUrl} mayPush={mayPush} />}
            {sections}
          </div>
        )}
        <div class="grid grid-cols-1 gap-6">
          {mayReadCode && <CloneCard cloneUrl={cloneUrl} />}
          <Card title="About">
            <DescriptionList items={factsOf(project, viewer)} />
          </Card>
        </div>
      </div>
    </ProjectFrame>
  );
}

function CloneCard({ cloneUrl }: { cloneUrl: string }): VNode {
  return (
    <Card title="Clone">
      <CopyField
        label="HTTP address"
        value={cloneUrl}
        hint="Git asks for your username, and for an access token in place of a password."
      />
    </Card>
  );
}

function factsOf(project: ProjectRow, viewer: PageContext['viewer']) {
  const role = project.accessLevel === 0 ? null : roleName(project.accessLevel);
  const facts = [
    { label: 'Project ID', value: project.id },
    { label: 'Default branch', value: project.defaultBranch },
    { label: 'Topics', value: topicsOf(project) },
    { label: 'Your role', value: role },
    { label: 'Created', value: <Time value={project.createdAt} /> },
    { label: 'Last activity', value: <Time value={project.lastActivityAt} /> },
    ...(viewer === null ? [] : [{ label: 'Mails', value: notificationsLink(project) }]),
  ];
  if (viewer?.admin !== true) return facts;
  return [...facts, { label: 'Storage', value: project.repositoryStorage }];
}

/** Link to the viewer's notification setting for the project. */
function notificationsLink({ id }: ProjectRow): VNode {
  return <a href={`/-/profile/notifications/projects/${id}`}>Notification settings</a>;
}

function topicsOf({ topics }: ProjectRow): VNode | null {
  if (topics.length === 0) return null;
  return (
    <span class="inline-flex flex-wrap gap-1">
      {topics.map((topic) => (
        <Badge key={topic}>{topic}</Badge>
      ))}
    </span>
  );
}
