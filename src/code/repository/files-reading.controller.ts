import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Scopes } from '../../core/access/access.decorator.js';
import { ApiErrors, ApiProduces } from '../../core/openapi/api.decorators.js';
import { Input } from '../../core/params/input.decorator.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { SAFE_TYPES } from './content-type.js';
import { FileRefDto } from './file.dto.js';
import { fileHeaders, presentFile, type RepositoryFileResponse } from './file.presenter.js';
import { FilesReader } from './files-reader.service.js';
import { RawFiles } from './raw-files.service.js';

/** Reading the files of a project. */
@Controller('projects/:id/repository/files/:file_path')
@Scopes('read_repository')
@ApiErrors(503)
@ProjectAbility('read_code')
export class FilesReadingController {
  constructor(
    private readonly files: FilesReader,
    private readonly raw: RawFiles,
  ) {}

  /** Shows a file of at most 10 MiB with its content; HEAD works for any size. */
  @Get()
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
  @Get('raw')
  @ApiProduces(...SAFE_TYPES)
  async sendRaw(
    @CurrentProject() project: ProjectRow,
    @Param('file_path') path: string,
    @Input() { ref }: FileRefDto,
    @Res() response: Response,
  ): Promise<void> {
    await this.raw.sendFile(project, { path, ref }, response);
  }
}
