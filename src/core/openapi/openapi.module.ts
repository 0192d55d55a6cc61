import { Module } from '@nestjs/common';
import { UiModule } from '../ui/ui.module.js';
import { ApiDescription } from './api-description.service.js';
import { OpenApiController } from './openapi.controller.js';
import { ReferencePages } from './reference-pages.service.js';

/** `GET /api/v4/openapi.json` and `GET /-/docs/api`. */
@Module({
  imports: [UiModule],
  controllers: [OpenApiController],
  providers: [ApiDescription, ReferencePages],
})
export class OpenApiModule {}
