import { Controller, Get, Post, Query } from '@nestjs/common';
import { Auth, type AuthContext } from '../../../core/access/auth-context.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../core/params/ids.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import {
  filledIn,
  formErrors,
  FormInput,
  given,
  refusalText,
  type FormProblems,
} from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { projectListInfo } from '../../../workspace/projects/pages/project-frame.js';
import { CurrentProject, ProjectPage } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { AlertsRepository } from '../../alerts.repository.js';
import { CreateSilenceDto, ListSilencesDto } from '../../silences/alert-silence.dto.js';
import {
  AlertSilencesRepository,
  MATCHER_NAMES,
} from '../../silences/alert-silences.repository.js';
import { AlertSilences } from '../../silences/alert-silences.service.js';
import { mayChangeAlerts } from '../alert-status.js';
import { alertsPath, silencesPath } from '../alert-paths.js';
import { DEFAULT_HOURS, NewSilencePage, type SilenceValues } from './new-silence.page.js';
import { SilencesPage } from './silences.page.js';

const HOUR_MS = 3_600_000;

/** Silences of a project's alerts; for its developers. */
@Controller(atRoot('*project_path/-/alert_management/silences'))
export class SilencePagesController {
  constructor(
    private readonly silences: AlertSilences,
    private readonly repository: AlertSilencesRepository,
    private readonly alerts: AlertsRepository,
  ) {}

  /** Lists the active silences, or those of another state. */
  @Get()
  @ProjectPage('read_alert', 'signed_in')
  async list(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Query() query: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const state = (await parseInput(ListSilencesDto, filledIn(query))).state ?? 'active';
    const [silences, counts] = await Promise.all([
      this.repository.list(project.id, state, paging),
      this.repository.countByState(project.id),
    ]);
    const mayChange = mayChangeAlerts(project, pageContext.viewer);
    const page = SilencesPage({ pageContext, project, silences, counts, state, paging, mayChange });
    return pageContext.render(page, { ...infoOf(project, 'Silences'), count: silences.total });
  }

  /** Shows the form, filled in for the alert of the query. */
  @Get('new')
  @ProjectPage('admin_alert', 'signed_in')
  async form(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Query() query: Record<string, unknown>,
  ): Promise<HttpResponse> {
    const iid = given(query, 'alert');
    const alert = /^\d{1,15}$/.test(iid)
      ? await this.alerts.findByIid(project.id, Number(iid))
      : null;
    const values = {
      title: alert && literally(alert.title),
      environment: alert?.environment?.name,
      hours: DEFAULT_HOURS,
    };
    return this.show(pageContext, project, { values, errors: null });
  }

  /** Creates a silence, or shows the form again with its errors. */
  @Post()
  @ProjectPage('admin_alert', 'signed_in')
  async create(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Auth() auth: AuthContext,
    @FormInput() form: Record<string, unknown>,
  ): Promise<HttpResponse> {
    try {
      const dto = await parseInput(CreateSilenceDto, attributesOf(form));
      await this.silences.create(project.id, dto, auth);
    } catch (error) {
      return this.show(pageContext, project, { values: form, errors: problemsOf(error) });
    }
    return pageContext.redirect(silencesPath(project), { notice: 'Silence created.' });
  }

  /** Ends a silence now. */
  @Post(':silence_id/expire')
  @ProjectPage('admin_alert', 'signed_in')
  async expire(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('silence_id') id: number,
    @Auth() auth: AuthContext,
  ): Promise<HttpResponse> {
    try {
      await this.silences.expire({ projectId: project.id, id }, auth);
    } catch (error) {
      return pageContext.redirect(silencesPath(project), { alert: refusalText(error) });
    }
    return pageContext.redirect(silencesPath(project), { notice: 'Silence expired.' });
  }

  private async show(
    pageContext: PageContext,
    project: ProjectRow,
    filled: { values: SilenceValues; errors: FormProblems | null },
  ): Promise<HttpResponse> {
    const environments = await this.alerts.listEnvironments(project.id);
    const page = NewSilencePage({ pageContext, project, environments, ...filled });
    const list = { label: 'Silences', href: silencesPath(project) };
    const info = infoOf(project, 'New silence');
    const crumbs = [...(info.crumbs ?? []), list];
    return pageContext.render(page, { ...info, crumbs }, filled.errors === null ? 200 : 422);
  }
}

/** Returns the text with its asterisks escaped, and backslashes that would escape what follows. */
function literally(text: string): string {
  return text.replace(/\\(?=[\\*])|\*/g, '\\$&');
}

function infoOf(project: ProjectRow, title: string) {
  return projectListInfo(project, { label: 'Alerts', href: alertsPath(project) }, title);
}

/** Problems of the parameters, by the fields of the form that they are made of. */
function problemsOf(error: unknown): FormProblems {
  const { fields, general } = formErrors(error);
  const { matchers, ends_at: end, ...others } = fields;
  return {
    general,
    fields: {
      ...others,
      ...(matchers !== undefined && { title: ['Enter at least one condition.'] }),
      ...(end !== undefined && { hours: ['The silence must end in the future.'] }),
    },
  };
}

/** The parameters of the API: a matcher for each field that is filled in, the end by the duration. */
function attributesOf(form: Record<string, unknown>): Record<string, unknown> {
  const matchers = MATCHER_NAMES.map((name) => ({ name, value: given(form, name).trim() }));
  const start = Date.parse(`${given(form, 'starts_at')}Z`);
  const from = Number.isNaN(start) ? Date.now() : start;
  const hours = Number(given(form, 'hours'));
  return {
    matchers: matchers.filter(({ value }) => value !== ''),
    starts_at: given(form, 'starts_at'),
    ends_at: hours > 0 && hours < 10_000 ? new Date(from + hours * HOUR_MS).toISOString() : null,
    comment: given(form, 'comment'),
  };
}
