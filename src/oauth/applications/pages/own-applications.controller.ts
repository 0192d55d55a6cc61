import { Controller, Get, Post } from '@nestjs/common';
import type { AuthContext } from '../../../core/access/auth-context.js';
import { Page } from '../../../core/access/page.decorator.js';
import { Auth } from '../../../core/access/viewer.decorator.js';
import type { Viewer } from '../../../core/access/viewer.js';
import type { Answer } from '../../../core/http/answer.js';
import { atRoot } from '../../../core/http/root-path.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../core/params/ids.js';
import { RateLimit } from '../../../core/rate-limits/rate-limit.decorator.js';
import { InstanceSettings } from '../../../core/settings/instance-settings.service.js';
import { FormInput } from '../../../core/ui/form-input.decorator.js';
import { Shell } from '../../../core/ui/shell.decorator.js';
import type { PageShell } from '../../../core/ui/shell.js';
import { OAuthApplicationsRepository } from '../../oauth-applications.repository.js';
import { ApplicationPages, type Desk } from './application-pages.service.js';
import { OwnApplicationsPage } from './applications.page.js';

/** The pages of one's own applications, and of what one lets others do. */
@Controller(atRoot('-/user_settings/applications'))
@Page('signed_in')
export class OwnApplicationsController {
  constructor(
    private readonly applications: OAuthApplicationsRepository,
    private readonly pages: ApplicationPages,
    private readonly settings: InstanceSettings,
  ) {}

  /** Lists one's own, and those that one has authorized. */
  @Get()
  async list(@Shell() shell: PageShell, @Pages() paging: Paging): Promise<Answer> {
    const { id } = shell.viewer as Viewer;
    const applications = await this.applications.list(id, paging);
    const authorized = await this.applications.listAuthorized(id);
    const { csrfToken } = shell;
    const mayRegister = this.mayRegister();
    const page = OwnApplicationsPage({ applications, paging, authorized, mayRegister, csrfToken });
    return shell.page(page, { title: 'Applications', nav: 'account' });
  }

  /** Shows the form for a new one. */
  @Get('new')
  blank(@Shell() shell: PageShell): Answer {
    return this.mayRegister() ? this.pages.blank(desk(shell)) : refused(shell);
  }

  /** Registers one. */
  @Post()
  @RateLimit('create')
  async create(
    @Shell() shell: PageShell,
    @FormInput() form: Record<string, unknown>,
    @Auth() auth: AuthContext,
  ): Promise<Answer> {
    return this.mayRegister() ? this.pages.create(desk(shell), form, auth) : refused(shell);
  }

  /** Shows one. */
  @Get(':id')
  show(@Shell() shell: PageShell, @IntegerId('id') id: number): Promise<Answer> {
    return this.pages.show(desk(shell), id);
  }

  /** Shows the form for a known one. */
  @Get(':id/edit')
  edit(@Shell() shell: PageShell, @IntegerId('id') id: number): Promise<Answer> {
    return this.pages.edit(desk(shell), id);
  }

  /** Changes one. */
  @Post(':id/edit')
  update(
    @Shell() shell: PageShell,
    @IntegerId('id') id: number,
    @FormInput() form: Record<string, unknown>,
    @Auth() auth: AuthContext,
  ): Promise<Answer> {
    return this.pages.update({ ...desk(shell), id }, form, auth);
  }

  /** Gives one another secret. */
  @Post(':id/renew')
  renew(
    @Shell() shell: PageShell,
    @IntegerId('id') id: number,
    @Auth() auth: AuthContext,
  ): Promise<Answer> {
    return this.pages.renew(desk(shell), id, auth);
  }

  /** Deletes one. */
  @Post(':id/delete')
  delete(
    @Shell() shell: PageShell,
    @IntegerId('id') id: number,
    @Auth() auth: AuthContext,
  ): Promise<Answer> {
    return this.pages.delete(desk(shell), id, auth);
  }

  private mayRegister(): boolean {
    return this.settings.values.user_oauth_applications;
  }
}

function desk(shell: PageShell): Desk {
  return { place: 'account', ownerId: (shell.viewer as Viewer).id, shell };
}

function refused(shell: PageShell): Answer {
  const alert = 'Only administrators register applications here.';
  return shell.redirect('/-/user_settings/profile', { alert });
}
