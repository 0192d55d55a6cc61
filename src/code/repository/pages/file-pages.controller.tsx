import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { VNode } from 'preact';
import { NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { pathParam } from '../../../core/params/ids.js';
import { Input } from '../../../core/params/input.decorator.js';
import { bytesText } from '../../../core/ui/amounts.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { Card, PageHeader } from '../../../core/ui/components/content.js';
import { Pagination } from '../../../core/ui/components/list.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { entryAt } from '../../../git/reading/contents.js';
import { projectInfo } from '../../../workspace/projects/pages/project-frame.js';
import { CurrentProject, ProjectPage } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { ProjectRepository, type Spot } from '../project-repository.service.js';
import { RawFiles } from '../raw-files.service.js';
import {
  codeAddresses,
  emptyPage,
  PathSteps,
  type CodeAddresses,
  type CodeView,
} from './code-frame.js';
import { BlobPageDto } from './code-pages.dto.js';
import { FileContent, readShownFile, type ShownFile } from './file-content.js';
import { FolderView, readFolder, type Folder } from './folder-view.js';
import { refChoices, RefSwitcher, type RefChoices } from './ref-switcher.js';

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

interface TreePageProps extends CodeView {
  folder: Folder;
  /** Which part of the folder's entries is shown. */
  paging: { page: number; perPage: number };
}

/** A folder of a repository. */
function TreePage({ project, folder, paging }: TreePageProps): VNode {
  const addresses = codeAddresses(project);
  const { spot, entries, choices } = folder;
  const { ref, path } = spot;
  const { page, perPage } = paging;
  const place = {
    page: { hasNext: entries.length > page * perPage, total: entries.length },
    paging,
  };
  return (
    <>
      <PageHeader
        title="Files"
        meta={<PathSteps project={project} spot={spot} addresses={addresses} />}
        actions={
          <>
            <RefSwitcher
              action={addresses.switcher}
              choices={choices}
              current={ref}
              destination="tree"
              path={path}
            />
            <ButtonLink href={addresses.commits(ref, path)} variant="outline">
              History
            </ButtonLink>
          </>
        }
      />
      <FolderView folder={folder} addresses={addresses}>
        <Pagination {...place} path={addresses.tree(ref, path)} />
      </FolderView>
    </>
  );
}

interface BlobPageProps extends CodeView {
  spot: Spot;
  file: ShownFile;
  choices: RefChoices;
  /** Markdown as it was written. */
  plain: boolean;
}

/** A file of a repository. */
function BlobPage(props: BlobPageProps): VNode {
  const { project, spot, file, choices, plain } = props;
  const addresses = codeAddresses(project);
  return (
    <>
      <PageHeader
        title={file.name}
        meta={<PathSteps project={project} spot={spot} addresses={addresses} />}
        actions={
          <RefSwitcher
            action={addresses.switcher}
            choices={choices}
            current={spot.ref}
            destination="blob"
            path={spot.path}
          />
        }
      />
      <Card
        title={bytesText(file.size)}
        actions={<Actions spot={spot} file={file} plain={plain} addresses={addresses} />}
        flush
      >
        <FileContent file={file} gitRef={spot.ref} addresses={addresses} plain={plain} />
      </Card>
    </>
  );
}

type ActionsProps = Pick<BlobPageProps, 'spot' | 'file' | 'plain'> & { addresses: CodeAddresses };

function Actions({ spot: { ref, oid, path }, file, plain, addresses }: ActionsProps): VNode {
  const blob = addresses.blob(ref, path);
  const isMarkdown = file.kind === 'markdown';
  return (
    <div class="flex flex-wrap gap-2">
      {isMarkdown && (
        <Small href={plain ? blob : `${blob}?plain=1`}>{plain ? 'Rendered' : 'View source'}</Small>
      )}
      <Small href={addresses.raw(ref, path)}>{file.kind === 'none' ? 'Download' : 'Raw'}</Small>
      <Small href={addresses.commits(ref, path)}>History</Small>
      {ref !== oid && <Small href={addresses.blob(oid, path)}>Permalink</Small>}
    </div>
  );
}

function Small({ href, children }: { href: string; children: string }): VNode {
  return (
    <ButtonLink href={href} variant="outline" size="small">
      {children}
    </ButtonLink>
  );
}
