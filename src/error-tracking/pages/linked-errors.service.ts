import { Injectable, type OnModuleInit } from '@nestjs/common';
import { IssueSections } from '../../workspace/issues/pages/issue-sections.service.js';
import { canInProject } from '../../identity/members/abilities.js';
import { ErrorsRepository } from '../errors/errors.repository.js';
import { LinkedErrorsCard } from './linked-errors.js';

/** Shows the errors of an issue on its page, to who can read errors. */
@Injectable()
export class LinkedErrors implements OnModuleInit {
  constructor(
    private readonly sections: IssueSections,
    private readonly errors: ErrorsRepository,
  ) {}

  onModuleInit(): void {
    this.sections.add(async ({ issue, project, pageContext }) => {
      if (!canInProject('read_error', { ...project, viewer: pageContext.viewer })) return null;
      const errors = await this.errors.listLinked(issue.id, project.id);
      return errors.length === 0 ? null : LinkedErrorsCard({ project, errors });
    });
  }
}
