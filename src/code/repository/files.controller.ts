import {
  Controller,
  createParamDecorator,
  Delete,
  type ExecutionContext,
  Get,
  HttpCode,
  Param,
  Post,
  Put,
  Res,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { Scopes } from '../../core/access/access.decorator.js';
import { authContext } from '../../core/access/auth-context.js';
import { UnauthorizedError } from '../../core/errors.js';
import { ApiErrors, ApiProduces } from '../../core/openapi/api.decorators.js';
import { pathParam } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { readPreconditions } from '../../core/preconditions.js';
import {
  currentProject,
  CurrentProject,
  ProjectAbility,
} from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { RawFiles, SAFE_TYPES } from './raw-files.service.js';
import {
  type FileChangeRequest,
  type FileFacts,
  FilesService,
  type WholeFile,
} from './files.service.js';
import { ChangeFileDto, DeleteFileDto, FileRefDto } from './file.dto.js';

/** A file with its content. */
interface RepositoryFileResponse {
  /** @example "index.js" */
  file_name: string;
  /** @example "src/index.js" */
  file_path: string;
  /** In bytes. */
  size: number;
  encoding: 'base64';
  /** @example "SGVsbG8K" */
  content: string;
  content_sha256: string;
  /** Requested branch, tag or commit. */
  ref: string;
  blob_id: string;
  commit_id: string;
  /** Last commit that changed the file. */
  last_commit_id: string;
  /** True if the file is executable. */
  execute_filemode: boolean;
}

/** A blob with its content. */
interface BlobResponse {
  /** In bytes. */
  size: number;
  encoding: 'base64';
  /** @example "SGVsbG8K" */
  content: string;
  sha: string;
}

/** Path and branch of a changed file. */
interface FileChangeResponse {
  /** @example "docs/index.md" */
  file_path: string;
  /** @example "main" */
  branch: string;
}

const EXECUTABLE = '100755';

function presentFile(file: WholeFile): RepositoryFileResponse {
  return {
    file_name: file.entry.name,
    file_path: file.entry.path,
    size: file.size,
    encoding: 'base64',
    content: file.content.toString('base64'),
    content_sha256: file.digest,
    ref: file.ref,
    blob_id: file.entry.id,
    commit_id: file.commitId,
    last_commit_id: file.lastCommitId,
    execute_filemode: file.entry.mode === EXECUTABLE,
  };
}

/** The same as headers, which is how v4 answers HEAD. */
function fileHeaders(file: FileFacts): Record<string, string> {
  return {
    'X-Svc-Blob-Id': file.entry.id,
    'X-Svc-Commit-Id': file.commitId,
    'X-Svc-Content-Sha256': file.digest,
    'X-Svc-Encoding': 'base64',
    'X-Svc-Execute-Filemode': String(file.entry.mode === EXECUTABLE),
    // Headers are ASCII: other names are sent as in an address.
    'X-Svc-File-Name': encodeURI(file.entry.name),
    'X-Svc-File-Path': encodeURI(file.entry.path),
    'X-Svc-Last-Commit-Id': file.lastCommitId,
    'X-Svc-Ref': encodeURI(file.ref),
    'X-Svc-Size': String(file.size),
  };
}

/**
 * The file that the path names, who changes it and under which conditions:
 * `update(@FileOfPath() request: FileChangeRequest)`.
 */
const FileOfPath = createParamDecorator(
  (_: unknown, context: ExecutionContext): FileChangeRequest => {
    const request = context.switchToHttp().getRequest<Request>();
    const { viewer } = authContext(request);
    if (viewer === null) throw new UnauthorizedError();
    return {
      project: currentProject(request),
      viewer,
      path: pathParam(request, 'file_path'),
      preconditions: readPreconditions(request),
    };
  },
);

/** The files of a project: by path and revision, or by the ID of the blob. */
@Controller('projects/:id/repository')
@ApiErrors(503)
export class FilesController {
  constructor(
    private readonly files: FilesService,
    private readonly raw: RawFiles,
  ) {}

  /** Shows a file of at most 10 MiB with its content; HEAD works for any size. */
  @Get('files/:file_path')
  @Scopes('read_repository')
  @ProjectAbility('read_code')
  async show(
    @CurrentProject() project: ProjectRow,
    @Param('file_path') path: string,
    @Input() { ref }: FileRefDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RepositoryFileResponse | undefined> {
    if (response.req.method === 'HEAD') {
      response.set(fileHeaders(await this.files.facts(project, { path, ref })));
      return undefined;
    }
    const file = await this.files.read(project, { path, ref });
    response.set(fileHeaders(file));
    return presentFile(file);
  }

  /** Sends the raw content of a file of any size: as an image, text or download. */
  @Get('files/:file_path/raw')
  @Scopes('read_repository')
  @ApiProduces(...SAFE_TYPES)
  @ProjectAbility('read_code')
  async sendRaw(
    @CurrentProject() project: ProjectRow,
    @Param('file_path') path: string,
    @Input() { ref }: FileRefDto,
    @Res() response: Response,
  ): Promise<void> {
    await this.raw.sendFile(project, { path, ref }, response);
  }

  /** Creates a file. */
  @Post('files/:file_path')
  @Scopes()
  @ApiErrors(409, 503)
  @ProjectAbility('push_code')
  async create(
    @FileOfPath() request: FileChangeRequest,
    @Input() dto: ChangeFileDto,
  ): Promise<FileChangeResponse> {
    await this.files.create(request, dto);
    return { file_path: request.path, branch: dto.branch };
  }

  /** Updates a file. */
  @Put('files/:file_path')
  @Scopes()
  @ApiErrors(409, 412, 503)
  @ProjectAbility('push_code')
  async update(
    @FileOfPath() request: FileChangeRequest,
    @Input() dto: ChangeFileDto,
  ): Promise<FileChangeResponse> {
    await this.files.update(request, dto);
    return { file_path: request.path, branch: dto.branch };
  }

  /** Deletes a file. */
  @Delete('files/:file_path')
  @Scopes()
  @HttpCode(204)
  @ApiErrors(409, 412, 503)
  @ProjectAbility('push_code')
  async delete(
    @FileOfPath() request: FileChangeRequest,
    @Input() dto: DeleteFileDto,
  ): Promise<void> {
    await this.files.delete(request, dto);
  }

  /** Shows a blob of at most 10 MiB with its content. */
  @Get('blobs/:sha')
  @Scopes()
  @ProjectAbility('read_code')
  async showBlob(
    @CurrentProject() project: ProjectRow,
    @Param('sha') sha: string,
  ): Promise<BlobResponse> {
    const content = await this.files.readBlob(project, sha);
    return { size: content.length, encoding: 'base64', content: content.toString('base64'), sha };
  }

  /** Sends the raw content of a blob of any size: as an image, text or download. */
  @Get('blobs/:sha/raw')
  @Scopes()
  @ApiProduces(...SAFE_TYPES)
  @ProjectAbility('read_code')
  async sendRawBlob(
    @CurrentProject() project: ProjectRow,
    @Param('sha') sha: string,
    @Res() response: Response,
  ): Promise<void> {
    await this.raw.sendBlob(project, sha, response);
  }
}
