import { Controller, Get } from '@nestjs/common';
import type { VNode } from 'preact';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { filledAddress, notificationSettingPath } from '../../../core/ui/addresses.js';
import { CopyableCode, CopyField } from '../../../core/ui/components/copy.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { AccessRequestButton } from '../../../identity/members/pages/access-requests.js';
import { CurrentProject, ProjectPage } from '../project-access.guard.js';
import { type ProjectRow, fullPathOf } from '../projects.repository.js';
import {
  ProjectHeader,
  projectInfo,
  EmptyRepository,
  ProjectOverviewSections,
} from './project-frame.js';
import { Badge, Card, DescriptionList } from '../../../core/ui/components/content.js';
import { Time } from '../../../core/ui/components/time.js';
import { canInProject } from '../../../identity/members/abilities.js';
import {
  AccessRequestsService,
  type RequestState,
} from '../../../identity/members/access-requests/access-requests.service.js';
import { projectSource } from '../../../identity/members/member-source.js';
import { roleName } from '../../../identity/members/roles.js';

/** The first page of a project. */
@Controller(atRoot('*project_path'))
export class ProjectOverviewPagesController {
  constructor(
    private readonly sections: ProjectOverviewSections,
    private readonly requests: AccessRequestsService,
  ) {}

  /** Shows what the project is and how to get its code. */
  @Get()
  @ProjectPage('read_project', 'anyone')
  async show(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
  ): Promise<HttpResponse> {
    const requested = { ...project, source: projectSource(project) };
    const [sections, requestState] = await Promise.all([
      this.sections.of({ project, pageContext }),
      this.requests.stateOf(requested, pageContext.viewer),
    ]);
    return pageContext.render(
      ProjectOverviewPage({ pageContext, project, sections, requestState }),
      projectInfo(project),
    );
  }
}

interface ProjectOverviewProps {
  pageContext: PageContext;
  project: ProjectRow;
  /** Parts of other features. */
  sections: VNode[];
  /** Of the viewer; null when there is nothing to request. */
  requestState: RequestState | null;
}

const COLUMNS = 'grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]';

/** Overview of a project: description, statistics, and clone instructions. */
function ProjectOverviewPage(props: ProjectOverviewProps): VNode {
  const { pageContext, project, sections, requestState } = props;
  const { viewer, baseUrl } = pageContext;
  const access = { ...project, viewer };
  const cloneUrl = `${baseUrl}/${fullPathOf(project)}.git`;
  const mayReadCode = project.repositoryEnabled && canInProject('read_code', access);
  const mayPush = canInProject('push_code', access) && !project.archived;
  const isEmpty = mayReadCode && project.emptyRepo;
  const hasContent = isEmpty || sections.length > 0;
  return (
    <>
      <ProjectHeader
        project={project}
        actions={
          requestState === null ? undefined : (
            <AccessRequestButton
              pageContext={pageContext}
              path={`/${fullPathOf(project)}/-/project_members`}
              state={requestState}
            />
          )
        }
      />
      <div class={hasContent ? COLUMNS : 'grid grid-cols-1 gap-4'}>
        {hasContent && (
          <div class="grid grid-cols-1 gap-4">
            {isEmpty && <EmptyRepository project={project} cloneUrl={cloneUrl} mayPush={mayPush} />}
            {sections}
          </div>
        )}
        <div class="grid grid-cols-1 gap-4">
          {mayReadCode && <CloneCard cloneUrl={cloneUrl} />}
          <Card title="About">
            <DescriptionList items={factsOf(project, viewer)} />
          </Card>
        </div>
      </div>
    </>
  );
}

function CloneCard({ cloneUrl }: { cloneUrl: string }): VNode {
  return (
    <Card title="Clone">
      <CopyField
        label="Clone URL"
        value={cloneUrl}
        hint="Use an access token as your Git password."
      />
    </Card>
  );
}

function factsOf(project: ProjectRow, viewer: PageContext['viewer']) {
  const role = project.accessLevel === 0 ? null : roleName(project.accessLevel);
  const facts = [
    { label: 'Project ID', value: <CopyableCode label="Copy project ID" value={project.id} /> },
    { label: 'Default branch', value: project.defaultBranch },
    { label: 'Topics', value: topicsOf(project) },
    { label: 'Your role', value: role },
    { label: 'Created', value: <Time value={project.createdAt} /> },
    { label: 'Last activity', value: <Time value={project.lastActivityAt} /> },
    ...(viewer === null ? [] : [{ label: 'Notifications', value: notificationsLink(project) }]),
  ];
  if (viewer?.admin !== true) return facts;
  return [...facts, { label: 'Storage', value: storageOf(project) }];
}

/** The storage of the repository, with a link to the form that moves it. */
function storageOf(project: ProjectRow): VNode {
  const { repositoryStorage, repositoryReadOnly } = project;
  const form = { kind: 'project', container: fullPathOf(project) };
  return (
    <>
      {repositoryStorage}
      {!repositoryReadOnly && (
        <>
          {' · '}
          <a href={filledAddress('/admin/storage_moves/new', form)}>Move</a>
        </>
      )}
    </>
  );
}

/** Link to the viewer's notification setting for the project. */
function notificationsLink({ id }: ProjectRow): VNode {
  return <a href={notificationSettingPath({ kind: 'project', id })}>Settings</a>;
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
