import { Controller, Get, Inject, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { VNode } from 'preact';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { Page } from '../access/access.decorator.js';
import type { HttpResponse } from '../http/http-response.js';
import { atRoot } from '../http/paths.js';
import { refererPath } from './addresses.js';
import { RadioGroup, SelectField } from './components/choice-fields.js';
import { Card, PageHeader } from './components/content.js';
import { Form, FormActions } from './components/form.js';
import { FormInput } from './forms.js';
import type { PageContext } from './page-context.js';
import { Context } from './page-contexts.service.js';
import {
  PREFERENCES,
  preferencesCookie,
  preferencesOf,
  withPreferences,
  type Preferences,
} from './preferences.js';

const PATH = '/-/user_settings/preferences';

/** Preferences of this browser. */
@Controller(atRoot('-/user_settings/preferences'))
@Page('signed_in')
export class PreferencePagesController {
  private readonly secure: boolean;

  constructor(@Inject(CONFIG) config: Config) {
    this.secure = config.baseUrl.startsWith('https:');
  }

  @Get()
  edit(@Context() pageContext: PageContext, @Req() request: Request): HttpResponse {
    const page = PreferencesPage({
      csrfToken: pageContext.csrfToken,
      preferences: preferencesOf(request),
    });
    return pageContext.render(page, { title: 'Preferences', nav: 'account' });
  }

  @Post()
  update(
    @Context() pageContext: PageContext,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @FormInput() form: Record<string, unknown>,
  ): HttpResponse {
    this.save(form, { request, response });
    return pageContext.redirect(PATH, { notice: 'Preferences saved.' });
  }

  /** Saves what the frame of a page has set, and returns to that page. */
  @Post('appearance')
  changeAppearance(
    @Context() pageContext: PageContext,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @FormInput() form: Record<string, unknown>,
  ): HttpResponse {
    this.save(form, { request, response });
    return pageContext.redirect(refererPath(request, pageContext.baseUrl));
  }

  private save(
    form: Record<string, unknown>,
    { request, response }: { request: Request; response: Response },
  ): void {
    const preferences = withPreferences(form, preferencesOf(request));
    response.append('Set-Cookie', preferencesCookie(preferences, this.secure));
  }
}

interface PreferencesPageProps {
  csrfToken: string;
  preferences: Preferences;
}

function PreferencesPage({ csrfToken, preferences }: PreferencesPageProps): VNode {
  return (
    <>
      <PageHeader title="Preferences" description="Saved in this browser" />
      <Card>
        <Form action={PATH} csrfToken={csrfToken} label="Preferences">
          <RadioGroup
            name="theme"
            label="Theme"
            value={preferences.theme}
            options={[
              { value: 'system', label: 'System', hint: 'Follows your operating system.' },
              { value: 'light', label: 'Light' },
              { value: 'dark', label: 'Dark' },
            ]}
          />
          <RadioGroup
            name="density"
            label="Density"
            value={preferences.density}
            options={[
              { value: 'comfortable', label: 'Comfortable' },
              { value: 'compact', label: 'Compact', hint: 'More rows on a screen.' },
            ]}
          />
          <SelectField
            name="home"
            label="Home page"
            hint="Opens when you select the logo."
            value={preferences.home}
            options={[
              { value: 'dashboard', label: 'Home' },
              { value: 'projects', label: 'Your projects' },
              { value: 'groups', label: 'Your groups' },
              { value: 'activity', label: 'Activity' },
            ]}
            bare
          />
          <SelectField
            name="time_zone"
            label="Time zone"
            hint="Applies to all dates and times."
            value={preferences.time_zone}
            options={PREFERENCES.time_zone.map((zone) => ({
              value: zone,
              label: zone === '' ? 'Same as this browser' : zone.replaceAll('_', ' '),
            }))}
            bare
          />
          <FormActions submit="Save changes" />
        </Form>
      </Card>
    </>
  );
}
