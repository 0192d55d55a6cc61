import { Module } from '@nestjs/common';
import { ProjectsModule } from '../../projects/projects.module.js';
import { IssuesModule } from '../issues.module.js';

/** Pages of issues and incidents. */
@Module({ imports: [IssuesModule, ProjectsModule] })
export class IssuePagesModule {}
