import { Controller, Get, Param, Post } from '@nestjs/common';
import { Page } from '../../../core/access/access.decorator.js';
import { Auth, type AuthContext } from '../../../core/access/auth-context.js';
import { NotFoundError, InvalidParamsError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { InstanceSettings } from '../../../core/settings/instance-settings.service.js';
import { formErrors, FormInput } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { StorageRegistry } from '../../../git/storage-registry.js';
import { SettingsUpdateService } from '../settings-update.service.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import type { SettingDeclaration } from '../../../core/settings/setting-types.js';
import { SETTINGS, type SettingName } from '../../../core/settings/settings.js';
import { presentSettings, UpdateSettingsDto, type SettingChanges } from '../settings.dto.js';
import { SETTING_SECTIONS, type SettingSection } from './setting-sections.js';
import { SETTINGS_PATH, SettingsPage, type RefusedSection, removalOf } from './settings.page.js';

/** The page with the settings of the instance. */
@Controller(atRoot('admin/application_settings'))
@Page('administrate')
export class SettingPagesController {
  constructor(
    private readonly settings: InstanceSettings,
    private readonly updates: SettingsUpdateService,
    private readonly storages: StorageRegistry,
  ) {}

  /** Shows all settings; for secrets only if they are set. */
  @Get()
  show(@Context() pageContext: PageContext): HttpResponse {
    return this.page(pageContext, null);
  }

  /** Updates the settings of a section, or shows its form with errors. */
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

type Form = Record<string, unknown>;

/** Returns the changes of a section's form. Throws InvalidParamsError. */
async function changesOf({ names }: SettingSection, form: Form): Promise<SettingChanges> {
  const given = names.flatMap((name) => {
    const value = valueOf(name, form);
    return value === undefined ? [] : [[name, value] as const];
  });
  const missing = names.filter((name) => isMissing(name, form));
  if (missing.length > 0) throw new InvalidParamsError(missing.map((name) => `${name} is missing`));
  return parseInput(UpdateSettingsDto, Object.fromEntries(given));
}

function valueOf(name: SettingName, form: Form): unknown {
  const { type, secret }: SettingDeclaration = SETTINGS[name];
  const value = form[name];
  if (secret === true) return secretOf(name, form);
  if (type === 'paths' && typeof value === 'string') return linesOf(value);
  if (type === 'weights') return weightsOf(value);
  return value;
}

function secretOf(name: SettingName, form: Form): unknown {
  if (form[removalOf(name)] === 'true') return '';
  return form[name] === '' ? undefined : form[name];
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Leaves out storages without a weight: they take no new repositories. */
function weightsOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([, weight]) => weight !== ''));
}

/** Returns true for an emptied field: null would keep the setting. */
function isMissing(name: SettingName, form: Form): boolean {
  return SETTINGS[name].type === 'integer' && form[name] === '';
}
