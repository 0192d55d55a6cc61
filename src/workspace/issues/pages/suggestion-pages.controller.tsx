import { Controller, Get, Query } from '@nestjs/common';
import type { VNode } from 'preact';
import { NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { Avatar } from '../../../core/ui/components/avatar.js';
import { Swatch } from '../../../core/ui/components/content.js';
import { Suggestion } from '../../../core/ui/components/text-field.js';
import { dateText } from '../../../core/ui/components/time.js';
import { given } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { LabelsRepository } from '../../labels/labels.repository.js';
import { MilestonesRepository } from '../../milestones/milestones.repository.js';
import { hasMilestones } from '../../milestones/milestones.service.js';
import { CurrentProject, ProjectPage } from '../../projects/project-access.guard.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import { IssueAssigneesRepository } from '../issue-assignees.repository.js';
import { IssuesRepository } from '../issues.repository.js';
import { StateIcon } from './issue-list.js';

/** Suggestions at once. */
const MOST = 8;

type Asked = Record<string, unknown>;

/** Suggestions for fields of forms and filters, as options of a listbox. */
@Controller(atRoot('*project_path/-/suggestions'))
export class SuggestionPagesController {
  constructor(
    private readonly people: IssueAssigneesRepository,
    private readonly labelsRepository: LabelsRepository,
    private readonly milestonesRepository: MilestonesRepository,
    private readonly issuesRepository: IssuesRepository,
  ) {}

  /** Members of the project by name or username. */
  @Get('users')
  @ProjectPage('read_members', 'anyone')
  async users(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Query() query: Asked,
  ): Promise<HttpResponse> {
    const users = await this.people.suggest(project.id, given(query, 'q'), MOST);
    return pageContext.fragment(
      <>
        <NoneAndAny query={query} />
        {users.map((user) => (
          <Suggestion key={user.id} value={user.username} detail={`@${user.username}`}>
            <Avatar name={user.name} owner={user} /> {user.name}
          </Suggestion>
        ))}
      </>,
    );
  }

  /** Labels that can be used in the project. */
  @Get('labels')
  @ProjectPage('read_label', 'anyone')
  async labels(
    @Context() pageContext: PageContext,
    @CurrentProject() { id: projectId }: ProjectRow,
    @Query() query: Asked,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const request = { filters: { search: given(query, 'q') }, paging: paging.first(MOST) };
    const { items } = await this.labelsRepository.list(pageContext.viewer, { projectId }, request);
    return pageContext.fragment(
      <>
        <NoneAndAny query={query} />
        {items.map(({ id, name, color }) => (
          <Suggestion key={id} value={name}>
            <Swatch color={color} /> {name}
          </Suggestion>
        ))}
      </>,
    );
  }

  /** Active milestones. */
  @Get('milestones')
  @ProjectPage('read_milestone', 'anyone')
  async milestones(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Query() query: Asked,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    if (!hasMilestones(project)) throw new NotFoundError();
    const filters = { state: 'active', search: given(query, 'q') } as const;
    const first = paging.first(MOST);
    const { items } = await this.milestonesRepository.list(project.id, filters, first);
    return pageContext.fragment(
      <>
        <NoneAndAny query={query} />
        {items.map(({ id, title, dueDate }) => (
          <Suggestion
            key={id}
            value={title}
            detail={dueDate === null ? '' : `Due ${dateText(dueDate)}`}
          >
            {title}
          </Suggestion>
        ))}
      </>,
    );
  }

  /** Issues by number or title, newest first. */
  @Get('issues')
  @ProjectPage('read_issue', 'anyone')
  async issues(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Query() query: Asked,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    if (!project.issuesEnabled) throw new NotFoundError();
    const request = { filters: byReference(given(query, 'q')), paging: paging.first(MOST) };
    const selection = { projectId: project.id };
    const { items } = await this.issuesRepository.list(pageContext.viewer, selection, request);
    return pageContext.fragment(
      <>
        {items.map((issue) => (
          <Suggestion key={issue.id} value={String(issue.iid)} detail={`#${issue.iid}`}>
            <StateIcon state={issue.state} /> {issue.title}
          </Suggestion>
        ))}
      </>,
    );
  }
}

/** Returns the filters for a typed number or words of a title. */
export function byReference(typed: string): { iids?: number[]; search?: string; in?: ['title'] } {
  if (/^\d{1,9}$/.test(typed)) return { iids: [Number(typed)] };
  return typed === '' ? {} : { search: typed, in: ['title'] };
}

/** For filters, which ask with `any=1`. */
function NoneAndAny({ query }: { query: Asked }): VNode | null {
  if (given(query, 'any') === '') return null;
  const typed = given(query, 'q').toLowerCase();
  return (
    <>
      {['None', 'Any']
        .filter((word) => word.toLowerCase().startsWith(typed))
        .map((word) => (
          <Suggestion key={word} value={word.toLowerCase()}>
            {word}
          </Suggestion>
        ))}
    </>
  );
}
