import { Controller, Get, Inject, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Page } from '../../../core/access/access.decorator.js';
import { atRoot } from '../../../core/http/paths.js';
import { ReadsPrimary } from '../../../core/sql/replica/request-reads.js';
import { formErrors, FormInput, given, type FormProblems } from '../../../core/ui/forms.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { BrowserSessions } from '../../auth/sessions/sessions.service.js';
import { SignInRefusedError } from '../../auth/user-state.js';
import {
  demandsNewSession,
  forgetReturnPath,
  returnPath,
} from '../../auth/sessions/session-cookies.js';
import { CONFIG } from '../../../config/config.module.js';
import type { Config } from '../../../config/env.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { requestAddress } from '../../../core/http/request-address.js';
import { InstanceSettings } from '../../../core/settings/instance-settings.service.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { SignInPage } from './sign-in.page.js';
import { SignInService } from './sign-in.service.js';
import { SessionsRepository } from '../../auth/sessions/sessions.repository.js';

/** Signing in and out with a browser (API doc, Authentication: session cookie). */
@ReadsPrimary()
@Controller(atRoot('users'))
@Page('anyone')
export class SignInController {
  private readonly isHttps: boolean;

  constructor(
    private readonly signIns: SignInService,
    private readonly browsers: BrowserSessions,
    private readonly sessions: SessionsRepository,
    private readonly settings: InstanceSettings,
    @Inject(CONFIG) config: Config,
  ) {
    this.isHttps = config.baseUrl.startsWith('https:');
  }

  /** Shows the form; redirects signed-in users unless the path demands a new sign-in. */
  @Get('sign_in')
  show(@Context() pageContext: PageContext, @Req() request: Request): HttpResponse {
    const { viewer, session } = pageContext;
    if (viewer === null || session === null) return this.page(pageContext, request, {});
    const path = returnPath(request);
    if (!demandsNewSession(path, session.id)) return pageContext.redirect(path);
    return this.page(pageContext, request, { login: viewer.username });
  }

  /** Signs in and redirects to the requested page, or shows the form again. */
  @Post('sign_in')
  async enter(
    @Context() pageContext: PageContext,
    @FormInput() form: Record<string, unknown>,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<HttpResponse> {
    const fields = hashOf(form['user']);
    const login = given(fields, 'login');
    const browser = {
      ip: requestAddress(request),
      userAgent: request.get('User-Agent') ?? '',
      session: pageContext.session,
    };
    try {
      const password = given(fields, 'password');
      const remember = ['1', 'true'].includes(given(fields, 'remember_me'));
      const entry = await this.signIns.signIn({ login, password, remember }, browser);
      this.browsers.enter(response, entry.value, entry.remembered);
    } catch (error) {
      return this.page(pageContext, request, { login, ...refusalOf(error) });
    }
    const path = returnPath(request);
    forgetReturnPath(response, this.isHttps);
    return pageContext.redirect(path);
  }

  /** Ends the session of this browser immediately, in every process. */
  @Post('sign_out')
  async leave(
    @Context() pageContext: PageContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<HttpResponse> {
    const { session, viewer } = pageContext;
    if (session !== null && viewer !== null) {
      await this.sessions.delete({ id: session.id, userId: viewer.id });
    }
    this.browsers.leave(response);
    return pageContext.redirect('/users/sign_in');
  }

  private page(pageContext: PageContext, request: Request, content: Content): HttpResponse {
    const { signup_enabled: mayRegister, remember_me_enabled: mayStay } = this.settings.values;
    const path = returnPath(request);
    const isInAddress = request.query['return_to'] !== undefined && path !== '/';
    const page = SignInPage({
      ...content,
      csrfToken: pageContext.csrfToken,
      mayRegister,
      mayStay,
      isAgain: pageContext.viewer !== null,
      action: isInAddress ? signInAddress(path) : '/users/sign_in',
    });
    const info = { title: 'Sign in', narrow: true, formTargets: clientTargets(path) };
    return pageContext.render(page, info, content.errors === undefined ? 200 : 422);
  }
}

interface Content {
  login?: string;
  errors?: FormProblems;
  /** Offers to send the confirmation email again. */
  isUnconfirmed?: boolean;
}

function signInAddress(path: string): string {
  return `/users/sign_in?return_to=${encodeURIComponent(path)}`;
}

function hashOf(value: unknown): Record<string, unknown> {
  const isHash = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isHash ? (value as Record<string, unknown>) : {};
}

function refusalOf(error: unknown): { errors: FormProblems; isUnconfirmed: boolean } {
  const isUnconfirmed = error instanceof SignInRefusedError && error.obstacle === 'unconfirmed';
  return { errors: formErrors(error), isUnconfirmed };
}

const AUTHORIZATION_PATH = '/oauth/authorize?';
const MAX_LENGTH = 2_048;
/** Schemes of URLs that contain their content. */
const CONTENT = ['javascript:', 'data:', 'blob:', 'filesystem:', 'about:'];

/**
 * Returns the other origins that the sign-in form can lead to: browsers apply `form-action` to the
 * redirects that follow, which end at an application if the sign-in continues an authorization
 * without consent. The authorization decides if the application is a valid target.
 */
function clientTargets(returnPath: string): string[] {
  if (!returnPath.startsWith(AUTHORIZATION_PATH)) return [];
  const query = new URLSearchParams(returnPath.slice(AUTHORIZATION_PATH.length));
  const uri = query.get('redirect_uri');
  if (uri === null || uri.length > MAX_LENGTH || !URL.canParse(uri)) return [];
  return CONTENT.includes(new URL(uri).protocol) ? [] : [uri];
}
