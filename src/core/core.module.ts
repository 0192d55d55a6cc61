import { Global, Module } from '@nestjs/common';
import { AuditTrail } from './audit/audit.service.js';
import { Clock } from './clock.js';
import { Sql } from './sql/sql.service.js';

/** What every feature uses without importing it. */
@Global()
@Module({ providers: [AuditTrail, Clock, Sql], exports: [AuditTrail, Clock, Sql] })
export class CoreModule {}
