import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Scopes } from '../../core/access/access.decorator.js';
import { ApiErrors, ApiProduces } from '../../core/openapi/api.decorators.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { SAFE_TYPES } from './content-type.js';
import { presentBlob, type BlobResponse } from './file.presenter.js';
import { FilesReader } from './files-reader.service.js';
import { RawFiles } from './raw-files.service.js';

/** The contents of files of a project, by their ids. */
@Controller('projects/:id/repository/blobs/:sha')
@Scopes()
@ApiErrors(503)
@ProjectAbility('read_code')
export class BlobsController {
  constructor(
    private readonly files: FilesReader,
    private readonly raw: RawFiles,
  ) {}

  /** Shows a blob of at most 10 MiB with its content. */
  @Get()
  async show(
    @CurrentProject() project: ProjectRow,
    @Param('sha') sha: string,
  ): Promise<BlobResponse> {
    return presentBlob(sha, await this.files.readBlob(project, sha));
  }

  /** Sends the raw content of a blob of any size: as an image, text or download. */
  @Get('raw')
  @ApiProduces(...SAFE_TYPES)
  async sendRaw(
    @CurrentProject() project: ProjectRow,
    @Param('sha') sha: string,
    @Res() response: Response,
  ): Promise<void> {
    await this.raw.sendBlob(project, sha, response);
  }
}
