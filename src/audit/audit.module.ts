import { Module } from '@nestjs/common';
import { ProjectsModule } from '../projects/projects.module.js';
import { AuditEventsController } from './audit-events.controller.js';
import { AuditEventsRepository } from './audit-events.repository.js';
import { AuditEventsService } from './audit-events.service.js';
import { GroupAuditEventsController } from './group-audit-events.controller.js';
import { ProjectAuditEventsController } from './project-audit-events.controller.js';

/** Reading the audit trail; it is written by each feature in the change's transaction. */
@Module({
  imports: [ProjectsModule],
  controllers: [AuditEventsController, GroupAuditEventsController, ProjectAuditEventsController],
  providers: [AuditEventsRepository, AuditEventsService],
  exports: [AuditEventsRepository],
})
export class AuditModule {}
