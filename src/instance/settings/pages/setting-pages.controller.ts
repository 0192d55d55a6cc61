import { Controller, Get, Param, Post } from '@nestjs/common';
import type { AuthContext } from '../../../core/access/auth-context.js';
import { Page } from '../../../core/access/page.decorator.js';
import { Auth } from '../../../core/access/viewer.decorator.js';
import { NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { InstanceSettings } from '../../../core/settings/instance-settings.service.js';
import { formErrors } from '../../../core/ui/form-errors.js';
import { FormInput } from '../../../core/ui/form-input.decorator.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { StorageRegistry } from '../../../git/storage-registry.js';
import { SettingsUpdateService } from '../settings-update.service.js';
import { presentSettings } from '../settings.presenter.js';
import { changesOf } from './setting-form.js';
import { SETTING_SECTIONS } from './setting-sections.js';
import { SETTINGS_PATH, SettingsPage, type RefusedSection } from './settings.page.js';

/** The page with the settings of the instance. */
@Controller(atRoot('admin/application_settings'))
@Page('administrate')
export class SettingPagesController {
  constructor(
    private readonly settings: InstanceSettings,
    private readonly updates: SettingsUpdateService,
    private readonly storages: StorageRegistry,
  ) {}

  /** Shows all settings; of a secret only whether there is one. */
  @Get()
  show(@Context() pageContext: PageContext): HttpResponse {
    return this.page(pageContext, null);
  }

  /** Changes the settings of one section, or shows its form again with what is wrong. */
  @Post(':section')
  async update(
    @Context() pageContext: PageContext,
    @Param('section') id: string,
    @FormInput() form: Record<string, unknown>,
    @Auth() actor: AuthContext,
  ): Promise<HttpResponse> {
    const section = SETTING_SECTIONS.find((candidate) => candidate.id === id);
    if (section === undefined) throw new NotFoundError();
    try {
      await this.updates.update(await changesOf(section, form), actor);
    } catch (error) {
      return this.page(pageContext, { id, values: form, errors: formErrors(error) });
    }
    return pageContext.redirect(`${SETTINGS_PATH}#${id}`, { notice: `${section.title}: saved.` });
  }

  private page(pageContext: PageContext, refused: RefusedSection | null): HttpResponse {
    const page = SettingsPage({
      csrfToken: pageContext.csrfToken,
      values: { ...presentSettings(this.settings.values) },
      storages: this.storages.names(),
      refused,
    });
    const crumbs = [{ label: 'Admin', href: '/admin' }];
    const info = { title: 'Settings', nav: 'admin', crumbs } as const;
    return pageContext.render(page, info, refused === null ? 200 : 422);
  }
}
