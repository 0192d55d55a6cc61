import { Controller, Post, Query } from '@nestjs/common';
import type { VNode } from 'preact';
import { ForbiddenError, NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { filledAddress } from '../../../core/ui/addresses.js';
import { counted } from '../../../core/ui/amounts.js';
import { Button } from '../../../core/ui/components/button.js';
import { Form } from '../../../core/ui/components/form.js';
import { BulkSelection } from '../../../core/ui/components/list.js';
import { suggestionsOf } from '../../../core/ui/components/text-field.js';
import { filledIn, FormInput, given, givenList, refusalText } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import type { NamedMilestone } from '../../milestones/milestones.repository.js';
import { CurrentProject, ProjectPage } from '../../projects/project-access.guard.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import { RequestContext, type ActorContext } from '../../spam/request-context.decorator.js';
import { IssueUpdates } from '../issue-updates.service.js';
import { UpdateIssueDto } from '../issue.dto.js';
import { IssuesRepository } from '../issues.repository.js';
import { keptFilters } from './issuable-list.js';
import { BULK_FORM, IssuesQuery } from './issue-list.js';
import { issuePageContext, mayPlanHere } from './issue-page-context.js';
import { NamedAssignees } from './named-assignees.service.js';

type RawFields = Record<string, unknown>;

/** Issues that one request changes: a page of them. */
const MOST_CHANGED = 100;
const NONE = 'None';

/** Changes several issues of the list at once. */
@Controller(atRoot('*project_path/-/issues'))
export class IssueBulkPagesController {
  constructor(
    private readonly issues: IssuesRepository,
    private readonly updates: IssueUpdates,
    private readonly people: NamedAssignees,
  ) {}

  /** Changes the selected issues, each as far as possible, and shows the list as it was filtered. */
  @Post('bulk')
  @ProjectPage('read_issue', 'signed_in')
  async change(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Query() raw: RawFields,
    @FormInput() form: RawFields,
    @RequestContext() actor: ActorContext,
  ): Promise<HttpResponse> {
    const { issues: list } = issuePageContext(project, pageContext);
    const path = bulkAddress(list, await parseInput(IssuesQuery, filledIn(raw)));
    const selected = givenList(form, 'iids').filter((iid) => /^\d{1,15}$/.test(iid));
    const iids = [...new Set(selected.map(Number))].slice(0, MOST_CHANGED);
    if (iids.length === 0) return pageContext.redirect(path, { alert: 'No issues selected' });
    try {
      const changes = await this.changesIn(form);
      if (Object.keys(changes).length === 0) {
        return pageContext.redirect(path, { alert: 'Select a change' });
      }
      const dto = await parseInput(UpdateIssueDto, changes);
      const refusals: string[] = [];
      for (const iid of iids) {
        const refusal = await this.changeOne(pageContext, project, { iid, dto, actor });
        if (refusal !== null) refusals.push(refusal);
      }
      const changed = counted(iids.length - refusals.length, 'issue');
      if (refusals.length === 0) {
        return pageContext.redirect(path, { notice: `${changed} changed` });
      }
      const failed = counted(refusals.length, 'issue');
      return pageContext.redirect(path, { alert: `${failed} not changed. ${refusals[0] ?? ''}` });
    } catch (error) {
      return pageContext.redirect(path, { alert: refusalText(error) });
    }
  }

  /** Returns why the issue was not changed; null if it was. */
  private async changeOne(
    pageContext: PageContext,
    project: ProjectRow,
    { iid, dto, actor }: { iid: number; dto: UpdateIssueDto; actor: ActorContext },
  ): Promise<string | null> {
    try {
      const issue = await this.issues.findVisible(actor.viewer, project.id, iid);
      if (!mayPlanHere(issuePageContext(project, pageContext), issue)) throw new ForbiddenError();
      await this.updates.update({ project, issue }, dto, actor);
      return null;
    } catch (error) {
      return error instanceof NotFoundError ? `Issue #${iid} not found.` : refusalText(error);
    }
  }

  /** Returns the parameters for the fields that are filled in. */
  private async changesIn(form: RawFields): Promise<RawFields> {
    const [event, assignee, label, milestone] = [
      given(form, 'state_event'),
      given(form, 'assignee').trim(),
      given(form, 'label').trim(),
      given(form, 'milestone_id'),
    ];
    if (event !== '') return { state_event: event };
    const isNoOne = assignee.toLowerCase() === NONE.toLowerCase();
    return {
      ...(assignee !== '' && {
        assignee_ids: isNoOne ? [] : await this.people.idsOf(assignee, 'assignee'),
      }),
      ...(label !== '' && { add_labels: label }),
      ...(milestone !== '' && { milestone_id: milestone === NONE ? '' : milestone }),
    };
  }
}

function bulkAddress(path: string, query: IssuesQuery): string {
  const { state } = query;
  return filledAddress(path, { state, ...Object.fromEntries(keptFilters(query)) });
}

interface IssueBulkBarProps {
  /** Address of the list. */
  path: string;
  query: IssuesQuery;
  csrfToken: string;
  milestones: readonly NamedMilestone[];
}

/** Changes the issues whose boxes are checked; shown once there are any. */
export function IssueBulkBar({ path, query, csrfToken, milestones }: IssueBulkBarProps): VNode {
  const state = query.state ?? 'opened';
  return (
    <Form
      id={BULK_FORM}
      class="bulk-bar"
      action={bulkAddress(`${path}/bulk`, query)}
      csrfToken={csrfToken}
      label="Selected issues"
    >
      <BulkField name="assignee" label="Assign to…" source={suggestionsOf(path, 'users')} />
      <BulkField name="label" label="Add label…" source={suggestionsOf(path, 'labels')} />
      <select class="control" name="milestone_id" aria-label="Milestone">
        <option value="">Milestone…</option>
        <option value={NONE}>No milestone</option>
        {milestones.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </select>
      <Button variant="outline" size="small">
        Apply
      </Button>
      {state !== 'closed' && (
        <Button name="state_event" value="close" variant="outline" size="small">
          Close
        </Button>
      )}
      {state !== 'opened' && (
        <Button name="state_event" value="reopen" variant="outline" size="small">
          Reopen
        </Button>
      )}
      <BulkSelection />
    </Form>
  );
}

interface BulkFieldProps {
  name: string;
  label: string;
  source: string | undefined;
}

function BulkField({ name, label, source }: BulkFieldProps): VNode {
  return (
    <span class="suggesting">
      <input
        class="control"
        name={name}
        placeholder={label}
        aria-label={label}
        data-source={source}
        autocomplete="off"
      />
    </span>
  );
}
