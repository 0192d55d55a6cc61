import { Controller, Get, Header, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { NoAuthentication } from '../access/access.decorator.js';
import { ApiErrors, ApiProduces } from '../openapi/api.decorators.js';
import { NotFoundError } from '../errors.js';
import { Assets } from './assets.service.js';

/** Static assets of pages. */
@Controller('-/assets')
@NoAuthentication()
export class AssetsController {
  constructor(private readonly assets: Assets) {}

  /** Sends an immutable style sheet, script, font, image or text of pages; its name contains a digest. */
  @Get(':file_name')
  @ApiProduces('text/css', 'text/javascript', 'image/svg+xml', 'text/plain', 'font/woff2')
  @ApiErrors(404)
  @Header('Cache-Control', 'public, max-age=31536000, immutable')
  show(
    @Param('file_name') fileName: string,
    @Res({ passthrough: true }) response: Response,
  ): Buffer {
    const asset = this.assets.find(fileName);
    if (asset === null) throw new NotFoundError();
    return asset.bodyFor(response);
  }
}
