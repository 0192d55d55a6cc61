import { Controller, Get, Post } from '@nestjs/common';
import type { AuthContext } from '../../../core/access/auth-context.js';
import { Page } from '../../../core/access/page.decorator.js';
import { Auth } from '../../../core/access/viewer.decorator.js';
import type { Answer } from '../../../core/http/answer.js';
import { atRoot } from '../../../core/http/root-path.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../core/params/ids.js';
import { FormInput } from '../../../core/ui/form-input.decorator.js';
import { Shell } from '../../../core/ui/shell.decorator.js';
import type { PageShell } from '../../../core/ui/shell.js';
import { OAuthApplicationsRepository } from '../../oauth-applications.repository.js';
import { ADMIN } from './application-frame.js';
import { ApplicationPages, type Desk } from './application-pages.service.js';
import { AdminApplicationsPage } from './applications.page.js';

/** The pages of the applications of the whole instance, for administrators. */
@Controller(atRoot('admin/applications'))
@Page('administrate')
export class AdminApplicationsController {
  constructor(
    private readonly applications: OAuthApplicationsRepository,
    private readonly pages: ApplicationPages,
  ) {}

  /** Lists them. */
  @Get()
  async list(@Shell() shell: PageShell, @Pages() paging: Paging): Promise<Answer> {
    const applications = await this.applications.list(null, paging);
    const page = AdminApplicationsPage({ applications, paging });
    return shell.page(page, { title: 'Applications', nav: 'admin', crumbs: [ADMIN] });
  }

  /** Shows the form for a new one. */
  @Get('new')
  blank(@Shell() shell: PageShell): Answer {
    return this.pages.blank(desk(shell));
  }

  /** Registers one. */
  @Post()
  create(
    @Shell() shell: PageShell,
    @FormInput() form: Record<string, unknown>,
    @Auth() auth: AuthContext,
  ): Promise<Answer> {
    return this.pages.create(desk(shell), form, auth);
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
}

function desk(shell: PageShell): Desk {
  return { place: 'admin', ownerId: null, shell };
}
