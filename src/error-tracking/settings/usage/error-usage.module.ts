import { Module } from '@nestjs/common';
import { ErrorRepositoriesModule } from '../../error-repositories.module.js';
import { ProjectsModule } from '../../../projects/projects.module.js';
import { ErrorUsageController } from './error-usage.controller.js';
import { ErrorUsage } from './error-usage.service.js';

/** Usage of error tracking: received data and its outcomes. */
@Module({
  imports: [ErrorRepositoriesModule, ProjectsModule],
  controllers: [ErrorUsageController],
  providers: [ErrorUsage],
  exports: [ErrorUsage],
})
export class ErrorUsageModule {}
