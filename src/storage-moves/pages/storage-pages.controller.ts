import { Controller, Get, Param, Post } from '@nestjs/common';
import { Page } from '../../core/access/access.decorator.js';
import { Auth, type AuthContext } from '../../core/access/auth-context.js';
import type { HttpResponse } from '../../core/http/http-response.js';
import { atRoot } from '../../core/http/paths.js';
import { parseInput } from '../../core/params/input.decorator.js';
import { formErrors, FormInput, type FormProblems } from '../../core/ui/forms.js';
import type { PageContext } from '../../core/ui/page-context.js';
import { Context } from '../../core/ui/page-contexts.service.js';
import { StorageVolumes } from '../../git/storage-volumes.service.js';
import { UpdateStorageDto } from '../storage-move.dto.js';
import { StorageSettings } from '../storage-settings.service.js';
import { StorageSummaries } from '../storage-summary.service.js';
import { StorageFormPage, valuesOfStorage, StoragesPage } from './storages.page.js';

const ADMIN = { label: 'Admin', href: '/admin' };
const STORAGES = { label: 'Storages', href: '/admin/storages' };

/** Pages about the storages: how full they are, and the limits of moves. */
@Controller(atRoot('admin/storages'))
@Page('administrate')
export class StoragePagesController {
  constructor(
    private readonly summaries: StorageSummaries,
    private readonly volumes: StorageVolumes,
    private readonly settings: StorageSettings,
  ) {}

  /** Shows all storages with their content and moves. */
  @Get()
  async list(@Context() pageContext: PageContext): Promise<HttpResponse> {
    const [storages, volumes] = await Promise.all([this.summaries.all(), this.volumes.all()]);
    const page = StoragesPage({ csrfToken: pageContext.csrfToken, storages, volumes });
    return pageContext.render(page, { title: 'Storages', nav: 'admin', crumbs: [ADMIN] });
  }

  /** Shows the form with the limits of moves from and to a storage. */
  @Get(':name')
  async edit(
    @Context() pageContext: PageContext,
    @Param('name') name: string,
  ): Promise<HttpResponse> {
    const values = valuesOfStorage(await this.settings.get(name));
    return this.form(pageContext, { name, values });
  }

  @Post(':name')
  async update(
    @Context() pageContext: PageContext,
    @Param('name') name: string,
    @FormInput() form: Record<string, unknown>,
    @Auth() actor: AuthContext,
  ): Promise<HttpResponse> {
    try {
      await this.settings.update({ name }, await parseInput(UpdateStorageDto, form), actor);
    } catch (error) {
      return this.form(pageContext, { name, values: form, errors: formErrors(error) });
    }
    return pageContext.redirect('/admin/storages', { notice: `Storage ${name} updated.` });
  }

  private form(pageContext: PageContext, { name, values, errors }: StorageForm): HttpResponse {
    const page = StorageFormPage({ csrfToken: pageContext.csrfToken, name, values, errors });
    const info = { title: name, nav: 'admin', crumbs: [ADMIN, STORAGES] } as const;
    return pageContext.render(page, { ...info, crumbs: [...info.crumbs] }, errors ? 422 : 200);
  }
}

interface StorageForm {
  name: string;
  values: Record<string, unknown>;
  errors?: FormProblems;
}
