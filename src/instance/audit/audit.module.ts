import { Module } from '@nestjs/common';
import { ProjectsModule } from '../../workspace/projects/projects.module.js';
import { UserRepositoriesModule } from '../../identity/users/user-repositories.module.js';
import {
  AuditEventsController,
  GroupAuditEventsController,
  ProjectAuditEventsController,
  AuditEventsService,
} from './audit-events.controller.js';
import { AuditEventsRepository } from './audit-events.repository.js';
import {
  AuditPages,
  AuditPagesController,
  ContainerAuditPagesController,
} from './pages/audit-pages.controller.js';

/** Reading the audit log; each feature writes it in the transaction of the change. */
@Module({
  imports: [ProjectsModule, UserRepositoriesModule],
  controllers: [
    AuditEventsController,
    GroupAuditEventsController,
    ProjectAuditEventsController,
    AuditPagesController,
    ContainerAuditPagesController,
  ],
  providers: [AuditEventsRepository, AuditEventsService, AuditPages],
  exports: [AuditEventsRepository],
})
export class AuditModule {}
