import { Controller, Get, Post } from '@nestjs/common';
import { CurrentUser, type Viewer } from '../../../core/access/auth-context.js';
import { NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { Input, parseInput } from '../../../core/params/input.decorator.js';
import { NO_PRECONDITIONS } from '../../../core/preconditions.js';
import { RateLimit } from '../../../core/rate-limits/named-limits.js';
import { formErrors, FormInput, given, type FormProblems } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { listBranches, listTags } from '../../../git/reading/references.js';
import { projectInfo } from '../../../workspace/projects/pages/project-frame.js';
import { CurrentProject, ProjectPage } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { BranchesService } from '../branches.service.js';
import { CodeRepository } from '../code.repository.js';
import { ProjectRepository } from '../project-repository.service.js';
import { CreateBranchDto, CreateTagDto } from '../ref.dto.js';
import { TagsService } from '../tags.service.js';
import {
  codeAddresses,
  emptyPage,
  mayPushHere,
  maySeeMergeRequestsHere,
  type CodeView,
} from './code-frame.js';
import { RefListDto, SwitchRefDto } from './code-pages.dto.js';
import { BranchesPage, TagsPage } from './ref-list.page.js';
import { NewRefPage, type RefFields } from './new-ref.page.js';

type Form = Record<string, unknown>;

/** Branches and tags of a repository. */
@Controller(atRoot('*project_path/-'))
export class RefPagesController {
  constructor(
    private readonly repositories: ProjectRepository,
    private readonly code: CodeRepository,
    private readonly branches: BranchesService,
    private readonly tags: TagsService,
  ) {}

  /** Lists the branches, those that were changed last first. */
  @Get('branches')
  @ProjectPage('read_code', 'anyone')
  async listBranches(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Input() { search, sort }: RefListDto,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const view = { pageContext, project };
    if (project.emptyRepo) return emptyPage(view, 'Branches');
    const query = { search: search ?? '', sort: sort ?? 'updated_desc' } as const;
    const { perPage: limit, offset } = paging;
    const { branches, total } = await this.repositories.readForPage(project, (repository) =>
      listBranches(repository, { ...query, offset, limit }),
    );
    const page = { items: branches, total, hasNext: offset + limit < total };
    const names = maySeeMergeRequestsHere(view) ? branches.map(({ name }) => name) : [];
    const openMergeRequests = await this.code.findOpenMergeRequests(project.id, names);
    return pageContext.render(
      BranchesPage({ ...view, page, paging, query, openMergeRequests }),
      projectInfo(project, 'Branches'),
    );
  }

  /** Lists the tags, the newest first. */
  @Get('tags')
  @ProjectPage('read_code', 'anyone')
  async listTags(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Input() { search, sort }: RefListDto,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const view = { pageContext, project };
    if (project.emptyRepo) return emptyPage(view, 'Branches');
    const query = { search: search ?? '', sort: sort ?? 'updated_desc' } as const;
    const { perPage: limit, offset } = paging;
    const { tags, total } = await this.repositories.readForPage(project, (repository) =>
      listTags(repository, { ...query, offset, limit }),
    );
    const page = { items: tags, total, hasNext: offset + limit < total };
    return pageContext.render(
      TagsPage({ ...view, page, paging, query }),
      projectInfo(project, 'Tags'),
    );
  }

  /** Leads to the same place of another branch, tag or commit. */
  @Get('refs/switch')
  @ProjectPage('read_code', 'anyone')
  switch(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Input() { ref, destination, path }: SwitchRefDto,
  ): HttpResponse {
    const addresses = codeAddresses(project);
    const name = ref ? ref : 'HEAD';
    if (destination === 'commits') return pageContext.redirect(addresses.commits(name, path ?? ''));
    const isFile = destination === 'blob' && path;
    return pageContext.redirect(
      isFile ? addresses.blob(name, path) : addresses.tree(name, path ?? ''),
    );
  }

  @Get('branches/new')
  @ProjectPage('push_code', 'signed_in')
  newBranch(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
  ): HttpResponse {
    return showForm(changeable({ pageContext, project }), 'branch');
  }

  @Post('branches')
  @RateLimit('create')
  @ProjectPage('push_code', 'signed_in')
  async createBranch(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @CurrentUser() viewer: Viewer,
    @FormInput() form: Form,
  ): Promise<HttpResponse> {
    const view = changeable({ pageContext, project });
    try {
      const { branch, ref } = await parseInput(CreateBranchDto, form);
      await this.branches.create({ project, viewer }, branch, ref);
      const address = codeAddresses(project).tree(branch);
      return pageContext.redirect(address, { notice: `Branch ${branch} created.` });
    } catch (error) {
      const fields = { name: given(form, 'branch'), ref: given(form, 'ref'), message: '' };
      return showForm(view, 'branch', { fields, errors: formErrors(error) });
    }
  }

  /** Deletes a branch. The default branch cannot be deleted. */
  @Post('branches/delete')
  @ProjectPage('push_code', 'signed_in')
  async deleteBranch(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @CurrentUser() viewer: Viewer,
    @FormInput() form: Form,
  ): Promise<HttpResponse> {
    changeable({ pageContext, project });
    const name = given(form, 'branch');
    await this.branches.delete({ project, viewer }, name, NO_PRECONDITIONS);
    const { branches } = codeAddresses(project);
    return pageContext.redirect(branches, { notice: `Branch ${name} deleted.` });
  }

  @Get('tags/new')
  @ProjectPage('push_code', 'signed_in')
  newTag(@Context() pageContext: PageContext, @CurrentProject() project: ProjectRow): HttpResponse {
    return showForm(changeable({ pageContext, project }), 'tag');
  }

  @Post('tags')
  @RateLimit('create')
  @ProjectPage('push_code', 'signed_in')
  async createTag(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @CurrentUser() viewer: Viewer,
    @FormInput() form: Form,
  ): Promise<HttpResponse> {
    const view = changeable({ pageContext, project });
    try {
      const { tag_name: name, ref, message } = await parseInput(CreateTagDto, form);
      // Browsers send line breaks of text fields as CRLF (HTML standard).
      const text = (message ?? '').replaceAll('\r\n', '\n');
      await this.tags.create({ project, viewer }, { name, ref, message: text });
      return pageContext.redirect(codeAddresses(project).tags, { notice: `Tag ${name} created.` });
    } catch (error) {
      const name = given(form, 'tag_name');
      const fields = { name, ref: given(form, 'ref'), message: given(form, 'message') };
      return showForm(view, 'tag', { fields, errors: formErrors(error) });
    }
  }

  @Post('tags/delete')
  @ProjectPage('push_protected', 'signed_in')
  async deleteTag(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @CurrentUser() viewer: Viewer,
    @FormInput() form: Form,
  ): Promise<HttpResponse> {
    changeable({ pageContext, project });
    const name = given(form, 'tag_name');
    await this.tags.delete({ project, viewer }, name, NO_PRECONDITIONS);
    const { tags } = codeAddresses(project);
    return pageContext.redirect(tags, { notice: `Tag ${name} deleted.` });
  }
}

/** Hides the existence of these pages from users who cannot push. */
function changeable(view: CodeView): CodeView {
  if (!view.project.repositoryEnabled || !mayPushHere(view)) throw new NotFoundError();
  return view;
}

/** Shows the form for a new branch or tag; from the default branch unless `fields` say otherwise. */
function showForm(
  view: CodeView,
  kind: 'branch' | 'tag',
  refused?: { fields: RefFields; errors: FormProblems },
): HttpResponse {
  const fields = refused?.fields ?? {
    name: '',
    ref: view.project.defaultBranch ?? '',
    message: '',
  };
  const content = NewRefPage({ ...view, kind, fields, errors: refused?.errors ?? null });
  const info = projectInfo(view.project, `New ${kind}`);
  return view.pageContext.render(content, info, refused === undefined ? 200 : 422);
}
