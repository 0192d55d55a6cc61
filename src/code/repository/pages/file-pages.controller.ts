import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { Input } from '../../../core/params/input.decorator.js';
import { pathParam } from '../../../core/params/values.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { entryAt } from '../../../git/reading/contents.js';
import { projectInfo } from '../../../workspace/projects/pages/project-frame.js';
import { CurrentProject, ProjectPage } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { RawFiles } from '../raw-files.service.js';
import { BlobPageDto, codeAddresses, emptyPage } from './code-frame.js';
import { BlobPage, TreePage } from './file.page.js';
import { ProjectRepository } from '../project-repository.service.js';
import { readFolder } from './folder-view.js';
import { refChoices } from './ref-switcher.js';
import { readShownFile } from './file-content.js';

/** Entries of a folder on one page. */
const PER_PAGE = 500;

/** Folders and files of a repository. */
@Controller(atRoot('*project_path/-'))
export class FilePagesController {
  constructor(
    private readonly repositories: ProjectRepository,
    private readonly raw: RawFiles,
  ) {}

  /** Shows a folder at a branch, tag or commit; the address of a file leads to its own page. */
  @Get(['tree', 'tree/*ref_path'])
  @ProjectPage('read_code', 'anyone')
  async tree(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Req() request: Request,
    @Pages() { page }: Paging,
  ): Promise<HttpResponse> {
    const view = { pageContext, project };
    if (project.emptyRepo) return emptyPage(view, 'Files');
    const address = pathParam(request, 'ref_path');
    const { spot, folder, entry } = await this.repositories.readForPageAt(
      project,
      address,
      async (repo, spot) => {
        const shown = { start: (page - 1) * PER_PAGE, end: page * PER_PAGE };
        const folder = await readFolder(repo, spot, shown);
        const entry = folder === null ? await entryAt(repo, spot.oid, spot.path) : null;
        return { spot, folder, entry };
      },
    );
    if (folder !== null) {
      const content = TreePage({ ...view, folder, paging: { page, perPage: PER_PAGE } });
      return pageContext.render(
        content,
        projectInfo(project, spot.path === '' ? 'Files' : spot.path),
      );
    }
    if (entry?.type !== 'blob') throw new NotFoundError();
    return pageContext.redirect(codeAddresses(project).blob(spot.ref, spot.path));
  }

  /** Shows a file at a branch, tag or commit; the address of a folder leads to its own page. */
  @Get('blob/*ref_path')
  @ProjectPage('read_code', 'anyone')
  async blob(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Req() request: Request,
    @Input() { plain }: BlobPageDto,
  ): Promise<HttpResponse> {
    const address = pathParam(request, 'ref_path');
    const { spot, entry, file, choices } = await this.repositories.readForPageAt(
      project,
      address,
      async (repository, spot) => {
        const entry = await entryAt(repository, spot.oid, spot.path);
        const isFile = entry?.type === 'blob';
        const file = isFile ? await readShownFile(repository, entry) : null;
        return { spot, entry, file, choices: await refChoices(repository) };
      },
    );
    if (entry?.type === 'tree') {
      return pageContext.redirect(codeAddresses(project).tree(spot.ref, spot.path));
    }
    if (file === null) throw new NotFoundError();
    const content = BlobPage({ pageContext, project, spot, file, choices, plain: Boolean(plain) });
    return pageContext.render(content, projectInfo(project, spot.path));
  }

  /** Sends a file as it is: as a picture, as text, or as bytes to be saved. */
  @Get('raw/*ref_path')
  @ProjectPage('read_code', 'anyone')
  async sendRaw(
    @CurrentProject() project: ProjectRow,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const address = pathParam(request, 'ref_path');
    const { oid, path } = await this.repositories.readForPageAt(project, address, (_, spot) =>
      Promise.resolve(spot),
    );
    await this.raw.sendFile(project, { ref: oid, path }, response);
  }
}
