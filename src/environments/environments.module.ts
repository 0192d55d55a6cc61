import { Module } from '@nestjs/common';
import { ProjectsModule } from '../projects/projects.module.js';

/** Environments of projects. */
@Module({ imports: [ProjectsModule] })
export class EnvironmentsModule {}
