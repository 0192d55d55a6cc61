import { Controller, Get, Post } from '@nestjs/common';
import type { AuthContext } from '../../core/access/auth-context.js';
import { Auth } from '../../core/access/viewer.decorator.js';
import type { Answer } from '../../core/http/answer.js';
import { atRoot } from '../../core/http/root-path.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { RateLimit } from '../../core/rate-limits/rate-limit.decorator.js';
import { FormInput } from '../../core/ui/form-input.decorator.js';
import { Shell } from '../../core/ui/shell.decorator.js';
import type { PageShell } from '../../core/ui/shell.js';
import { CurrentGroup } from '../../groups/group-access.guard.js';
import type { GroupRow } from '../../groups/groups.repository.js';
import { GroupPage } from '../../groups/pages/group-page.guard.js';
import { ProjectPage } from '../../projects/pages/project-page.guard.js';
import { CurrentProject } from '../../projects/project-access.guard.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import { ListTokensPageDto } from '../resource-token.dto.js';
import { ResourceTokenPages } from './resource-token-pages.service.js';
import { groupTokensPlace, projectTokensPlace } from './tokens-places.js';

/** Access tokens of a project; for its maintainers. */
@Controller(atRoot('*project_path/-/settings/access_tokens'))
export class ProjectTokenPagesController {
  constructor(private readonly pages: ResourceTokenPages) {}

  /** Lists the tokens, with a form for a new one. */
  @Get()
  @ProjectPage('manage_project_tokens', 'signed_in')
  list(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @Input() filters: ListTokensPageDto,
    @Pages() paging: Paging,
  ): Promise<Answer> {
    return this.pages.list(shell, projectTokensPlace(project, shell.viewer), { filters, paging });
  }

  /** Makes a token and shows its value once. */
  @Post()
  @RateLimit('token_creation')
  @ProjectPage('manage_project_tokens', 'signed_in')
  create(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @Auth() auth: AuthContext,
    @FormInput() form: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<Answer> {
    const place = projectTokensPlace(project, shell.viewer);
    return this.pages.create(shell, place, { form, auth, paging });
  }

  /** Revokes a token. */
  @Post(':token_id/revoke')
  @ProjectPage('manage_project_tokens', 'signed_in')
  revoke(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @Auth() auth: AuthContext,
    @IntegerId('token_id') tokenId: number,
  ): Promise<Answer> {
    return this.pages.revoke(shell, projectTokensPlace(project, shell.viewer), { tokenId, auth });
  }
}

/** Access tokens of a group; for its owners. */
@Controller(atRoot('groups/*group_path/-/settings/access_tokens'))
export class GroupTokenPagesController {
  constructor(private readonly pages: ResourceTokenPages) {}

  /** Lists the tokens, with a form for a new one. */
  @Get()
  @GroupPage('manage_group_tokens', 'signed_in')
  list(
    @Shell() shell: PageShell,
    @CurrentGroup() group: GroupRow,
    @Input() filters: ListTokensPageDto,
    @Pages() paging: Paging,
  ): Promise<Answer> {
    return this.pages.list(shell, groupTokensPlace(group, shell.viewer), { filters, paging });
  }

  /** Makes a token and shows its value once. */
  @Post()
  @RateLimit('token_creation')
  @GroupPage('manage_group_tokens', 'signed_in')
  create(
    @Shell() shell: PageShell,
    @CurrentGroup() group: GroupRow,
    @Auth() auth: AuthContext,
    @FormInput() form: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<Answer> {
    const place = groupTokensPlace(group, shell.viewer);
    return this.pages.create(shell, place, { form, auth, paging });
  }

  /** Revokes a token. */
  @Post(':token_id/revoke')
  @GroupPage('manage_group_tokens', 'signed_in')
  revoke(
    @Shell() shell: PageShell,
    @CurrentGroup() group: GroupRow,
    @Auth() auth: AuthContext,
    @IntegerId('token_id') tokenId: number,
  ): Promise<Answer> {
    return this.pages.revoke(shell, groupTokensPlace(group, shell.viewer), { tokenId, auth });
  }
}
