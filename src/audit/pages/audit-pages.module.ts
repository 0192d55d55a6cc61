import { Module } from '@nestjs/common';
import { UserRepositoriesModule } from '../../users/user-repositories.module.js';
import { AuditModule } from '../audit.module.js';
import { AuditPagesController } from './audit-pages.controller.js';

/** The administrators' page with the audit trail. */
@Module({ imports: [AuditModule, UserRepositoriesModule], controllers: [AuditPagesController] })
export class AuditPagesModule {}
