import { Controller, Delete, HttpCode, Post, Put } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { Input } from '../../core/params/input.decorator.js';
import { ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import { ChangeFileDto, DeleteFileDto } from './file.dto.js';
import { FileOfPath } from './file-change.decorator.js';
import { FileChanges, type FileChangeRequest } from './file-changes.service.js';

/** Path and branch of a changed file. */
export interface FileChangeResponse {
  /** @example "docs/index.md" */
  file_path: string;
  /** @example "main" */
  branch: string;
}

/** Changing single files of a project, each change a commit. */
@Controller('projects/:id/repository/files/:file_path')
@Scopes()
@ApiErrors(409, 503)
@ProjectAbility('push_code')
export class FileChangesController {
  constructor(private readonly changes: FileChanges) {}

  /** Creates a file. */
  @Post()
  async create(
    @FileOfPath() request: FileChangeRequest,
    @Input() dto: ChangeFileDto,
  ): Promise<FileChangeResponse> {
    await this.changes.create(request, dto);
    return { file_path: request.path, branch: dto.branch };
  }

  /** Updates a file. */
  @Put()
  @ApiErrors(409, 412, 503)
  async update(
    @FileOfPath() request: FileChangeRequest,
    @Input() dto: ChangeFileDto,
  ): Promise<FileChangeResponse> {
    await this.changes.update(request, dto);
    return { file_path: request.path, branch: dto.branch };
  }

  /** Deletes a file. */
  @Delete()
  @HttpCode(204)
  @ApiErrors(409, 412, 503)
  async delete(
    @FileOfPath() request: FileChangeRequest,
    @Input() dto: DeleteFileDto,
  ): Promise<void> {
    await this.changes.delete(request, dto);
  }
}
