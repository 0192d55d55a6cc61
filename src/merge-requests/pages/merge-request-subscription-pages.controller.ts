import { Controller, Post } from '@nestjs/common';
import type { Answer } from '../../core/http/answer.js';
import { atRoot } from '../../core/http/root-path.js';
import { FormInput, given } from '../../core/ui/form-input.decorator.js';
import { Shell } from '../../core/ui/shell.decorator.js';
import type { PageShell } from '../../core/ui/shell.js';
import { ProjectPage } from '../../projects/pages/project-page.guard.js';
import { CurrentProject } from '../../projects/project-access.guard.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import {
  ChangeOfMergeRequest,
  type MergeRequestIidChange,
} from '../merge-request-change.decorator.js';
import { MergeRequestSubscriptions } from '../merge-request-subscriptions.service.js';
import { mergeRequestPlace } from './merge-request-place.js';

/** The button on the page of a merge request with which its mails are wanted, or no longer. */
@Controller(atRoot('*project_path/-/merge_requests/:merge_request_iid/subscription'))
export class MergeRequestSubscriptionPagesController {
  constructor(private readonly subscriptions: MergeRequestSubscriptions) {}

  /** Subscribes or unsubscribes; also in archived projects. */
  @Post()
  @ProjectPage('read_merge_request', 'signed_in')
  async set(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @FormInput() form: Record<string, unknown>,
    @ChangeOfMergeRequest() { viewer, iid }: MergeRequestIidChange,
  ): Promise<Answer> {
    const { path } = mergeRequestPlace(project, shell);
    const wanted = given(form, 'subscribed') === 'true';
    await this.subscriptions.set({ viewer, projectId: project.id, iid }, wanted);
    return shell.redirect(`${path}/${iid}`, { notice: wanted ? 'Subscribed.' : 'Unsubscribed.' });
  }
}
