import { Module } from '@nestjs/common';
import { AuditModule } from '../audit.module.js';
import { AuditPagesController } from './audit-pages.controller.js';

/** The administrators' page with the audit trail. */
@Module({ imports: [AuditModule], controllers: [AuditPagesController] })
export class AuditPagesModule {}
