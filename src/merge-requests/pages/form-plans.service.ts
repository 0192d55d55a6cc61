import { Injectable } from '@nestjs/common';
import { NamedAssignees } from '../../issues/pages/named-assignees.service.js';
import { planParams, type MergeRequestValues } from './merge-request-form-input.js';

/** Turns what a form says of the work on a merge request into parameters. */
@Injectable()
export class FormPlans {
  constructor(private readonly people: NamedAssignees) {}

  /** Throws 400 for unknown usernames. */
  async of(values: MergeRequestValues): Promise<Record<string, unknown>> {
    const assigneeIds = await this.people.idsOf(values.assignees);
    const reviewerIds = await this.people.idsOf(values.reviewers, 'reviewers');
    return planParams(values, { assigneeIds, reviewerIds });
  }
}
