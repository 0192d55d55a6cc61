import { Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { Auth, type AuthContext } from '../../core/access/auth-context.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { RateLimit } from '../../core/rate-limits/named-limits.js';
import { ResponseContext } from '../../core/response-context.js';
import { presentUserBasic, type UserBasicResponse } from '../../identity/users/user.presenter.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { CreateSilenceDto, ListSilencesDto, UpdateSilenceDto } from './alert-silence.dto.js';
import {
  AlertSilencesRepository,
  type MatcherName,
  type SilenceRow,
  type SilenceState,
} from './alert-silences.repository.js';
import { AlertSilences } from './alert-silences.service.js';

/** Times in which matching alerts are counted, but open no incidents and send no emails. */
@Controller('projects/:id/alert_management_silences')
@Scopes()
export class AlertSilencesController {
  constructor(
    private readonly repository: AlertSilencesRepository,
    private readonly silences: AlertSilences,
  ) {}

  /** Lists the silences of a project, those that end last first. Kept for 90 days after their end. */
  @Get()
  @ProjectAbility('read_alert')
  async list(
    @CurrentProject() { id }: ProjectRow,
    @Input() { state }: ListSilencesDto,
    @ResponseContext() { baseUrl }: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<SilenceResponse[]> {
    const page = await this.repository.list(id, state, paging);
    return paging.write(mapPage(page, (row) => presentSilence(row, baseUrl)));
  }

  /** Shows a silence. */
  @Get(':silence_id')
  @ProjectAbility('read_alert')
  async show(
    @CurrentProject() { id: projectId }: ProjectRow,
    @IntegerId('silence_id') id: number,
    @ResponseContext() { baseUrl }: ResponseContext,
  ): Promise<SilenceResponse> {
    return presentSilence(await this.repository.findInProject(projectId, id), baseUrl);
  }

  /** Creates a silence; a project has at most 100 that are active or pending. */
  @Post()
  @RateLimit('create')
  @ProjectAbility('admin_alert')
  async create(
    @CurrentProject() { id: projectId }: ProjectRow,
    @Input() dto: CreateSilenceDto,
    @Auth() auth: AuthContext,
    @ResponseContext() { baseUrl }: ResponseContext,
  ): Promise<SilenceResponse> {
    const id = await this.silences.create(projectId, dto, auth);
    return presentSilence(await this.repository.findInProject(projectId, id), baseUrl);
  }

  /** Updates a silence that has not expired. */
  @Put(':silence_id')
  @ProjectAbility('admin_alert')
  @ApiErrors(409)
  async update(
    @CurrentProject() { id: projectId }: ProjectRow,
    @IntegerId('silence_id') id: number,
    @Input() dto: UpdateSilenceDto,
    @Auth() auth: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
    @ResponseContext() { baseUrl }: ResponseContext,
  ): Promise<SilenceResponse> {
    await this.silences.update({ projectId, id, preconditions }, dto, auth);
    return presentSilence(await this.repository.findInProject(projectId, id), baseUrl);
  }

  /** Expires a silence: it ends now. */
  @Delete(':silence_id')
  @HttpCode(204)
  @ProjectAbility('admin_alert')
  @ApiErrors(409)
  async expire(
    @CurrentProject() { id: projectId }: ProjectRow,
    @IntegerId('silence_id') id: number,
    @Auth() auth: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<void> {
    await this.silences.expire({ projectId, id, preconditions }, auth);
  }
}

/** Condition on one attribute of an alert. */
interface MatcherResponse {
  name: MatcherName;
  /** @example "Disk full on *" */
  value: string;
  /** False for alerts whose attribute does not match. */
  is_equal: boolean;
}

/** Silence of a project's alerts. */
interface SilenceResponse {
  id: number;
  project_id: number;
  state: SilenceState;
  /** Conditions, all of which an alert meets. */
  matchers: MatcherResponse[];
  /** @example "Disks are being replaced" */
  comment: string;
  /** @format date-time */
  starts_at: string;
  /** @format date-time */
  ends_at: string;
  /** null for a deleted user. */
  author: UserBasicResponse | null;
  /** @format date-time */
  created_at: string;
  /** @format date-time */
  updated_at: string;
}

function presentSilence(row: SilenceRow, baseUrl: string): SilenceResponse {
  return {
    id: row.id,
    project_id: row.projectId,
    state: row.state,
    matchers: row.matchers.map(({ name, value, isEqual }) => ({ name, value, is_equal: isEqual })),
    comment: row.comment,
    starts_at: row.startsAt.toISOString(),
    ends_at: row.endsAt.toISOString(),
    author: row.author === null ? null : presentUserBasic(row.author, baseUrl),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
