import { Controller, Get, Post, Query } from '@nestjs/common';
import { NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../core/params/ids.js';
import { RateLimit } from '../../../core/rate-limits/named-limits.js';
import { FormInput } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { canInGroup, canInProject } from '../../../identity/members/abilities.js';
import { CurrentGroup, GroupPage } from '../../groups/group-access.guard.js';
import type { GroupRow } from '../../groups/groups.repository.js';
import { groupInfo } from '../../groups/pages/group-frame.js';
import { projectListInfo } from '../../projects/pages/project-frame.js';
import { CurrentProject, ProjectPage } from '../../projects/project-access.guard.js';
import { fullPathOf, type ProjectRow } from '../../projects/projects.repository.js';
import { LabelPages, type LabelsLayout } from './label-pages.service.js';

type Form = Record<string, unknown>;

/** Pages of a project's labels. */
@Controller(atRoot('*project_path/-/labels'))
export class ProjectLabelPagesController {
  constructor(private readonly pages: LabelPages) {}

  /** Lists the labels of a project, with those of the groups above it. */
  @Get()
  @ProjectPage('read_label', 'anyone')
  list(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Query() query: Form,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    return this.pages.list(projectLayout(project, pageContext), query, paging);
  }

  /** Shows the form for a new label. */
  @Get('new')
  @ProjectPage('admin_label', 'signed_in')
  newForm(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
  ): HttpResponse {
    return this.pages.newForm(projectLayout(project, pageContext));
  }

  /** Creates a label, or shows the form again with the errors. */
  @Post('new')
  @RateLimit('create')
  @ProjectPage('admin_label', 'signed_in')
  create(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @FormInput() form: Form,
  ): Promise<HttpResponse> {
    return this.pages.create(projectLayout(project, pageContext), form);
  }

  /** Shows the form for changing a label. */
  @Get(':label_id/edit')
  @ProjectPage('admin_label', 'signed_in')
  editForm(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('label_id') id: number,
  ): Promise<HttpResponse> {
    return this.pages.editForm(projectLayout(project, pageContext), id);
  }

  /** Changes a label, or shows the form again with the errors. */
  @Post(':label_id/edit')
  @ProjectPage('admin_label', 'signed_in')
  update(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('label_id') id: number,
    @FormInput() form: Form,
  ): Promise<HttpResponse> {
    return this.pages.update(projectLayout(project, pageContext), id, form);
  }

  /** Makes a label one of the project's group. */
  @Post(':label_id/promote')
  @ProjectPage('admin_label', 'signed_in')
  promote(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('label_id') id: number,
  ): Promise<HttpResponse> {
    const layout = projectLayout(project, pageContext);
    if (layout.context.promotesTo === null) throw new NotFoundError();
    return this.pages.promote(layout, id, project.namespaceId);
  }

  /** Deletes a label, and takes it from issues and merge requests. */
  @Post(':label_id/delete')
  @ProjectPage('admin_label', 'signed_in')
  delete(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('label_id') id: number,
  ): Promise<HttpResponse> {
    return this.pages.delete(projectLayout(project, pageContext), id);
  }

  /** Subscribes to a label or ends it; also in archived projects. */
  @Post(':label_id/subscription')
  @ProjectPage('read_label', 'signed_in')
  subscribe(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('label_id') id: number,
    @FormInput() form: Form,
  ): Promise<HttpResponse> {
    return this.pages.subscribe(projectLayout(project, pageContext), id, form);
  }
}

/** Pages of a group's labels. */
@Controller(atRoot('groups/*group_path/-/labels'))
export class GroupLabelPagesController {
  constructor(private readonly pages: LabelPages) {}

  /** Lists the labels of a group, with those of the groups above it. */
  @Get()
  @GroupPage('read_group', 'anyone')
  list(
    @Context() pageContext: PageContext,
    @CurrentGroup() group: GroupRow,
    @Query() query: Form,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    return this.pages.list(groupLayout(group, pageContext), query, paging);
  }

  /** Shows the form for a new label. */
  @Get('new')
  @GroupPage('admin_label', 'signed_in')
  newForm(@Context() pageContext: PageContext, @CurrentGroup() group: GroupRow): HttpResponse {
    return this.pages.newForm(groupLayout(group, pageContext));
  }

  /** Creates a label, or shows the form again with the errors. */
  @Post('new')
  @RateLimit('create')
  @GroupPage('admin_label', 'signed_in')
  create(
    @Context() pageContext: PageContext,
    @CurrentGroup() group: GroupRow,
    @FormInput() form: Form,
  ): Promise<HttpResponse> {
    return this.pages.create(groupLayout(group, pageContext), form);
  }

  /** Shows the form for changing a label. */
  @Get(':label_id/edit')
  @GroupPage('admin_label', 'signed_in')
  editForm(
    @Context() pageContext: PageContext,
    @CurrentGroup() group: GroupRow,
    @IntegerId('label_id') id: number,
  ): Promise<HttpResponse> {
    return this.pages.editForm(groupLayout(group, pageContext), id);
  }

  /** Changes a label, or shows the form again with the errors. */
  @Post(':label_id/edit')
  @GroupPage('admin_label', 'signed_in')
  update(
    @Context() pageContext: PageContext,
    @CurrentGroup() group: GroupRow,
    @IntegerId('label_id') id: number,
    @FormInput() form: Form,
  ): Promise<HttpResponse> {
    return this.pages.update(groupLayout(group, pageContext), id, form);
  }

  /** Deletes a label, and takes it from issues and merge requests. */
  @Post(':label_id/delete')
  @GroupPage('admin_label', 'signed_in')
  delete(
    @Context() pageContext: PageContext,
    @CurrentGroup() group: GroupRow,
    @IntegerId('label_id') id: number,
  ): Promise<HttpResponse> {
    return this.pages.delete(groupLayout(group, pageContext), id);
  }

  /** Subscribes to a label or ends it. */
  @Post(':label_id/subscription')
  @GroupPage('read_group', 'signed_in')
  subscribe(
    @Context() pageContext: PageContext,
    @CurrentGroup() group: GroupRow,
    @IntegerId('label_id') id: number,
    @FormInput() form: Form,
  ): Promise<HttpResponse> {
    return this.pages.subscribe(groupLayout(group, pageContext), id, form);
  }
}

function projectLayout(project: ProjectRow, pageContext: PageContext): LabelsLayout {
  const { viewer, csrfToken } = pageContext;
  const { namespace, issuesEnabled, mergeRequestsEnabled } = project;
  const base = `/${fullPathOf(project)}/-`;
  const path = `${base}/labels`;
  // A role in the group, which the project's own members need not have.
  const inGroup = { visibility: 0, accessLevel: project.groupLevel, viewer };
  const mayPromote = namespace.kind === 'group' && canInGroup('admin_label', inGroup);
  return {
    pageContext,
    info: (title) => projectListInfo(project, { label: 'Labels', href: path }, title),
    context: {
      owner: { projectId: project.id },
      csrfToken,
      path,
      issues: issuesEnabled ? `${base}/issues` : null,
      mergeRequests: mergeRequestsEnabled ? `${base}/merge_requests` : null,
      mayChange: !project.archived && canInProject('admin_label', { ...project, viewer }),
      promotesTo: mayPromote ? namespace.fullPath : null,
    },
  };
}

function groupLayout(group: GroupRow, pageContext: PageContext): LabelsLayout {
  const { viewer, csrfToken } = pageContext;
  const path = `/groups/${group.fullPath}/-/labels`;
  return {
    pageContext,
    info: (title) => {
      const { crumbs = [], ...info } = groupInfo(group, title ?? 'Labels');
      const list = { label: 'Labels', href: path };
      return { ...info, crumbs: title === undefined ? crumbs : [...crumbs, list] };
    },
    context: {
      owner: { groupId: group.id },
      csrfToken,
      path,
      issues: null,
      mergeRequests: null,
      mayChange: canInGroup('admin_label', { ...group, viewer }),
      promotesTo: null,
    },
  };
}
